/// A word of a line of the text form: `value`, `"quoted"`, `key=value` or `key="quoted"`.
struct TextWord {
  /// The text before the `=`, if there is one.
  var key: String?
  var value: Value

  enum Value {
    case bare(String)
    case quoted([UInt8])
  }

  /// The word if it is neither quoted nor has a key; otherwise nil.
  var bare: String? { if case .bare(let text) = value, key == nil { text } else { nil } }

  /// Splits a line.
  ///
  /// A `#` outside of quotes begins a comment.
  static func words(of line: Substring, number: Int) throws(TraceError) -> [TextWord] {
    var scanner = Scanner(rest: Array(line.utf8)[...], line: number)
    var words: [TextWord] = []
    while let word = try scanner.next() { words.append(word) }
    return words
  }

  private struct Scanner {
    var rest: ArraySlice<UInt8>
    let line: Int

    mutating func next() throws(TraceError) -> TextWord? {
      rest = rest.drop(while: Self.isBlank)
      guard let first = rest.first, first != UInt8(ascii: "#") else { return nil }
      if first == UInt8(ascii: "\"") { return TextWord(key: nil, value: .quoted(try quoted())) }
      let word = rest.prefix {
        !Self.isBlank($0) && $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "\"")
      }
      rest = rest[word.endIndex...]
      let text = String(decoding: word, as: UTF8.self)
      guard let equals = text.firstIndex(of: "=") else {
        return TextWord(key: nil, value: .bare(text))
      }
      let key = String(text[..<equals])
      let value = String(text[text.index(after: equals)...])
      if value.isEmpty, rest.first == UInt8(ascii: "\"") {
        return TextWord(key: key, value: .quoted(try quoted()))
      }
      return TextWord(key: key, value: .bare(value))
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
      byte == 0x20 || byte == 0x09 || byte == 0x0D
    }

    private mutating func quoted() throws(TraceError) -> [UInt8] {
      rest = rest.dropFirst()
      var bytes: [UInt8] = []
      while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "\""): return bytes
        case UInt8(ascii: "\\"): try escape(&bytes)
        default: bytes.append(byte)
        }
      }
      throw TraceText.error(line, "a quoted text has no end; a closing '\"' was expected")
    }

    private mutating func escape(_ bytes: inout [UInt8]) throws(TraceError) {
      switch rest.popFirst() {
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
      case UInt8(ascii: "\""): bytes.append(UInt8(ascii: "\""))
      case UInt8(ascii: "x"):
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        rest = rest.dropFirst(2)
        guard digits.utf8.count == 2, let byte = UInt8(digits, radix: 16) else {
          throw TraceText.error(
            line,
            "'\\x\(digits)' is not a byte; two hexadecimal digits were expected"
          )
        }
        bytes.append(byte)
      case UInt8(ascii: "u"):
        let body = rest.prefix { $0 != UInt8(ascii: "}") }
        let digits = String(decoding: body.dropFirst(), as: UTF8.self)
        rest = rest[body.endIndex...].dropFirst()
        guard body.first == UInt8(ascii: "{"), let value = UInt32(digits, radix: 16),
          let scalar = Unicode.Scalar(value)
        else {
          throw TraceText.error(
            line,
            "'\\u{\(digits)}' is not a character; as in '\\u{202E}' was expected"
          )
        }
        bytes += Array(String(Character(scalar)).utf8)
      default:
        throw TraceText.error(line, "a '\\' must be followed by n, t, \\, \", xHH or u{…}")
      }
    }
  }
}

extension TraceText {
  /// The bytes as a quoted word that contains no invisible character, and from which the same bytes
  /// can be read back.
  static func quoted(_ bytes: some Collection<UInt8>) -> String {
    var text = "\""
    if let valid = String(validating: bytes, as: UTF8.self) {
      for scalar in valid.unicodeScalars { text += escaped(scalar) }
    } else {
      for byte in bytes {
        let isPlain = byte >= 0x20 && byte < 0x7F
        text += isPlain ? escaped(Unicode.Scalar(byte)) : "\\x" + hex(UInt64(byte), digits: 2)
      }
    }
    return text + "\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\t": return "\\t"
    default: break
    }
    guard !scalar.showsByItself else { return String(Character(scalar)) }
    return "\\u{" + hex(UInt64(scalar.value), digits: 4) + "}"
  }

  /// The value in hexadecimal, with at least `digits` digits.
  static func hex(_ value: UInt64, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}

extension Unicode.Scalar {
  /// Whether the character is visible by itself, as defined in TraceFormat §13.
  ///
  /// A terminal combines marks and parts of syllables with the characters before them, and a
  /// program between rxtop and the terminal may cut off a long sequence of them, so that the same
  /// bytes could not be read back.
  fileprivate var showsByItself: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
      .surrogate, .nonspacingMark, .enclosingMark:
      false
    default:
      !(0x115F...0x11FF).contains(value) && value != 0x3164 && value != 0xFFA0
    }
  }
}
