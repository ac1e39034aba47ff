/// Reads the values of fields and arguments in the text form.
enum TextValues {
  // MARK: Names of values

  /// The names of an argument's values, by number; nil if it is a plain number.
  static func names(of type: ArgumentType) -> [String]? {
    switch type {
    case .reason: EndReason.allCases.map { "\($0)" }
    case .cause: EndCause.allCases.map { "\($0)" }
    case .event: RefusedEvent.allCases.map { "\($0)" }
    case .level: TraceLevel.allCases.map { "\($0)" }
    default: nil
    }
  }

  // MARK: Numbers

  /// Reads a decimal or, after `0x`, hexadecimal number, or one of `names`.
  static func number(
    _ text: String,
    names: [String]? = nil,
    limit: UInt64 = .max,
    line: Int,
    of name: String
  ) throws(TraceError) -> UInt64 {
    if let index = names?.firstIndex(of: text) { return UInt64(index) }
    let value = text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    guard let value else {
      let expected = names.map { "one of " + $0.joined(separator: ", ") } ?? "a number"
      throw TraceText.error(line, "'\(text)' is not a value for \(name); \(expected) was expected")
    }
    guard value <= limit else {
      throw TraceText.error(line, "\(value) does not fit in \(name), which holds up to \(limit)")
    }
    return value
  }

  /// Splits `name.3` into the name and the index.
  static func indexed(_ key: String) -> (name: String, index: Int?) {
    guard let dot = key.lastIndex(of: "."), let index = Int(key[key.index(after: dot)...]) else {
      return (key, nil)
    }
    return (String(key[..<dot]), index)
  }

  /// Reads a word of hexadecimal digits, two for each byte.
  static func bytes(_ text: String, line: Int) throws(TraceError) -> [UInt8] {
    let digits = Array(text)
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: digits.count, by: 2) {
      guard start + 1 < digits.count,
        let byte = UInt8(String(digits[start...(start + 1)]), radix: 16)
      else {
        throw TraceText.error(
          line,
          "'\(text)' is not a run of bytes; two hexadecimal digits for each were expected"
        )
      }
      bytes.append(byte)
    }
    return bytes
  }
}
