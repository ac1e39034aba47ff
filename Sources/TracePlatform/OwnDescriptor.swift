import CReactiveTraceShims
package import Glibc

/// How files are opened in a process that is somebody else's.
///
/// Never as its standard input, output or error output, also where the program runs with these closed: what it prints
/// would go into the file.
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
