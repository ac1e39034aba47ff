import TraceModel

/// Writes JSON text: keys in the order they are written, one row of a table per line.
///
/// Commas and line breaks follow from the calls, so that the output is always valid.
package struct JSONWriter {
  private var bytes: [UInt8] = []
  private var needsComma = false
  /// Objects and arrays at this depth or deeper are each written on one line.
  private let deepestLineBreak: Int
  private var depth = 0

  /// A writer that puts rows of this depth on separate lines; 0 writes everything on one line.
  package init(linesTo deepestLineBreak: Int = 2) { self.deepestLineBreak = deepestLineBreak }

  /// The text written so far.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  // MARK: Structure

  /// An object: the value of `key`, an element of an array, or the whole document.
  package mutating func object(_ key: String? = nil, _ fields: (inout Self) -> Void) {
    enclose(key, open: "{", close: "}", fields)
  }

  /// An array of what `element` writes for each row: the value of `key`, an element of an array, or
  /// the whole document.
  package mutating func array<Rows: Collection>(
    _ key: String?,
    _ rows: Rows,
    _ element: (inout Self, Rows.Element) -> Void
  ) {
    enclose(key, open: "[", close: "]") { json in
      for row in rows { element(&json, row) }
    }
  }

  private mutating func enclose(
    _ key: String?,
    open: Unicode.Scalar,
    close: Unicode.Scalar,
    _ contents: (inout Self) -> Void
  ) {
    begin(key)
    append(open)
    needsComma = false
    depth += 1
    contents(&self)
    depth -= 1
    // An empty array closes on the same line.
    if needsComma, depth < deepestLineBreak { lineBreak() }
    append(close)
    needsComma = true
  }

  /// Writes what precedes a value: a comma, a line break, the key.
  private mutating func begin(_ key: String?) {
    if needsComma { append(",") }
    if depth > 0, depth <= deepestLineBreak {
      lineBreak()
    } else if needsComma {
      append(" ")
    }
    if let key {
      appendQuoted(key)
      bytes += ": ".utf8
    }
    needsComma = true
  }

  private mutating func lineBreak() {
    append("\n")
    for _ in 0..<depth { bytes += "  ".utf8 }
  }

  private mutating func append(_ scalar: Unicode.Scalar) { bytes += String(scalar).utf8 }

  // MARK: Values

  /// An integer; null if it is unknown.
  package mutating func field(_ key: String?, _ value: (some BinaryInteger)?) {
    put(key, value.map { String($0) })
  }

  /// A number; null if it is unknown or not one.
  package mutating func field(_ key: String?, _ value: Double?) {
    put(key, value.flatMap { $0.isFinite ? "\($0)" : nil })
  }

  /// A number that is already formatted.
  package mutating func number(_ key: String, _ literal: String) { put(key, literal) }

  /// An array of numbers, as an element of another.
  package mutating func list(_ values: [Int]) {
    enclose(nil, open: "[", close: "]") { json in
      for value in values { json.field(nil, value) }
    }
  }

  /// A Boolean; null if it is unknown.
  package mutating func field(_ key: String?, _ value: Bool?) {
    put(key, value.map { $0 ? "true" : "false" })
  }

  /// A length of time in whole nanoseconds; null if it is unknown.
  package mutating func field(_ key: String?, _ value: Duration?) {
    field(key, value?.wholeNanoseconds)
  }

  /// Text; null if there is none.
  package mutating func field(_ key: String?, _ value: String?) {
    begin(key)
    if let value { appendQuoted(value) } else { bytes += "null".utf8 }
  }

  /// An array of texts.
  package mutating func field(_ key: String, _ values: [String]) {
    array(key, values) { $0.field(nil, $1) }
  }

  private mutating func put(_ key: String?, _ literal: String?) {
    begin(key)
    bytes += (literal ?? "null").utf8
  }

  // MARK: Strings

  private mutating func appendQuoted(_ text: String) {
    append("\"")
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": bytes += "\\\"".utf8
      case "\\": bytes += "\\\\".utf8
      case " "..."~": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      default:
        if Self.isInvisible(scalar) { appendEscape(of: scalar) } else { append(scalar) }
      }
    }
    append("\"")
  }

  /// `\u000A`; above U+FFFF, the two surrogates that JSON requires.
  private mutating func appendEscape(of scalar: Unicode.Scalar) {
    for unit in String(scalar).utf16 {
      let digits = String(unit, radix: 16, uppercase: true)
      bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
    }
  }

  /// Whether a scalar would affect a terminal, or be invisible.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      true
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}
