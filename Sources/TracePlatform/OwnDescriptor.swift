import CReactiveTraceShims
package import Glibc

/// Opens files in a process that belongs to another program.
///
/// Never as its standard input, output or error output, even if the program runs with these closed:
/// its output would go into the file.
package enum OwnDescriptor {
  /// As `open`, closed in children.
  package static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
    rxt_above_standard(Glibc.open(path, flags | O_CLOEXEC, mode))
  }

  /// As `openat`, closed in children.
  package static func open(
    in directory: Int32,
    _ name: String,
    _ flags: Int32,
    _ mode: mode_t = 0
  ) -> Int32 {
    rxt_above_standard(openat(directory, name, flags | O_CLOEXEC, mode))
  }
}
