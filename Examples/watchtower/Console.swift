import Glibc

/// Writes whole lines to the terminal, unbuffered, so that other programs can read them at once.
enum Console {
  /// Prints a line on standard output.
  static func print(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

  /// Prints a line on standard error, with the program's name.
  static func complain(_ message: String) {
    write("watchtower: \(printable(message))\n", to: STDERR_FILENO)
  }

  /// Makes foreign text safe for a terminal: control characters become `?`, and long text is cut.
  static func printable(_ text: some StringProtocol, atMost limit: Int = 160) -> String {
    var result = ""
    for character in text.prefix(limit) {
      let isHarmless = character.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: false
        default: true
        }
      }
      result.append(isHarmless ? character : "?")
    }
    return text.count > limit ? result + "…" : result
  }

  /// The time of day, as `12:03:04`.
  static func clock() -> String {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }
      .joined(separator: ":")
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let whole = UnsafeBufferPointer(rebasing: rest)
        let written = Glibc.write(descriptor, whole.baseAddress, whole.count)
        if written < 0, errno == EINTR { continue }
        if written <= 0 { return }
        rest = rest.dropFirst(written)
      }
    }
  }
}
