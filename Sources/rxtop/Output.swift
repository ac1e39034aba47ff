internal import CNcurses
internal import Glibc
internal import InspectorUI

/// Standard output and standard error.
enum Output {
  /// Writes all of a text.
  ///
  /// If the reader has closed the pipe, the program ends silently with the given status. On any
  /// other error, such as a full disk, it ends with a message.
  static func write(_ text: String, statusWithoutReader status: ExitStatus = .clean) {
    write(Array(text.utf8), statusWithoutReader: status)
  }

  static func write(_ bytes: [UInt8], statusWithoutReader status: ExitStatus = .clean) {
    guard let code = write(bytes[...], to: STDOUT_FILENO) else { return }
    if code == EPIPE { exit(status.rawValue) }
    let reason = String(cString: strerror(code))
    toStandardError(
      CommandError.line("cannot write the output: \(reason); what was written is incomplete")
    )
    exit(ExitStatus.unreadable.rawValue)
  }

  /// Writes all of a text to standard error.
  ///
  /// An error is ignored, because messages matter less than what the program does.
  static func toStandardError(_ text: String) {
    _ = write(Array(text.utf8)[...], to: STDERR_FILENO)
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The width of the output: the width of the terminal, or else the value of `COLUMNS`, or else
  /// 100.
  static var columns: Int {
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
      return Int(size.ws_col)
    }
    return variable("COLUMNS").flatMap { Int($0) }.map { min(max($0, 40), 1000) } ?? 100
  }

  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The current time in nanoseconds since 1970.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Writes all bytes.
  ///
  /// - Returns: The number of the error that prevented it; nil if all were written.
  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32? {
    var bytes = bytes
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
