import CReactiveTraceShims
package import Glibc

/// Opens files in a process that mainly runs the code of a program.
///
/// A file never becomes standard input, output or error, even if the program runs with these
/// closed, because the program's output would then go into the file.
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
