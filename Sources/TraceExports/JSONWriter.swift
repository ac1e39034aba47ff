import TraceModel

/// Writes JSON text.
///
/// The keys of an object are in the order of the calls, and the writer adds commas and line breaks.
package struct JSONWriter {
  private var bytes: [UInt8] = []
  private var needsComma = false
  /// Objects and arrays at this depth or deeper are each written on one line.
  private let deepestLineBreak: Int
  private var depth = 0

  /// Creates a writer that begins a new line for every value down to a depth.
  ///
  /// With a depth of 0, everything is on one line. With 2, each row of a table that is a member of
  /// the document has a line of its own.
  package init(linesTo deepestLineBreak: Int = 2) { self.deepestLineBreak = deepestLineBreak }

  /// The text written so far.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  // MARK: Structure

  /// Writes an object as the value of `key`, as an element of an array, or as the whole document.
  package mutating func object(_ key: String? = nil, _ fields: (inout Self) -> Void) {
    enclose(key, open: "{", close: "}", fields)
  }

  /// Writes an array, whose elements `element` writes, as the value of `key`, as an element of an
  /// array, or as the whole document.
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

  /// Writes what precedes a value: the comma, the line break and the key, each if it is needed.
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

  /// Writes an integer, or null if it is unknown.
  package mutating func field(_ key: String?, _ value: (some BinaryInteger)?) {
    put(key, value.map { String($0) })
  }

  /// Writes a number, or null if it is unknown, infinite or not a number.
  package mutating func field(_ key: String?, _ value: Double?) {
    put(key, value.flatMap { $0.isFinite ? "\($0)" : nil })
  }

  /// Writes a number that is already formatted.
  package mutating func number(_ key: String, _ literal: String) { put(key, literal) }

  /// Writes an array of integers as an element of another array.
  package mutating func list(_ values: [Int]) {
    enclose(nil, open: "[", close: "]") { json in
      for value in values { json.field(nil, value) }
    }
  }

  /// Writes a Boolean, or null if it is unknown.
  package mutating func field(_ key: String?, _ value: Bool?) {
    put(key, value.map { $0 ? "true" : "false" })
  }

  /// Writes a duration in whole nanoseconds, or null if it is unknown.
  package mutating func field(_ key: String?, _ value: Duration?) {
    field(key, value?.wholeNanoseconds)
  }

  /// Writes a string, or null if there is none.
  package mutating func field(_ key: String?, _ value: String?) {
    begin(key)
    if let value { appendQuoted(value) } else { bytes += "null".utf8 }
  }

  /// Writes an array of strings.
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

  /// Writes an escape such as `\u000A`, or above U+FFFF the two surrogates that JSON requires.
  private mutating func appendEscape(of scalar: Unicode.Scalar) {
    for unit in String(scalar).utf16 {
      let digits = String(unit, radix: 16, uppercase: true)
      bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
    }
  }

  /// Whether a scalar could control a terminal or would be invisible.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      true
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}
