import CReactiveTraceShims
package import Glibc

/// Opens files for a library that runs inside a program.
///
/// An opened file never gets the descriptor of standard input, output or error, even if the program
/// has closed that descriptor, because otherwise output of the program would go into the file.
package enum OwnDescriptor {
  /// Does what `open` does, with close-on-exec.
  package static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
    rxt_above_standard(Glibc.open(path, flags | O_CLOEXEC, mode))
  }

  /// Does what `openat` does, with close-on-exec.
  package static func open(
    in directory: Int32,
    _ name: String,
    _ flags: Int32,
    _ mode: mode_t = 0
  ) -> Int32 {
    rxt_above_standard(openat(directory, name, flags | O_CLOEXEC, mode))
  }
}
