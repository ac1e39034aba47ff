import TraceModel

/// Writes HTML in which text from a trace can never be markup.
///
/// Only ``raw(_:)`` writes markup, and it accepts only a `StaticString`. The names of elements and
/// attributes are of that type, too. All other text is escaped.
struct HTMLWriter {
  /// Names and values of attributes.
  typealias Attributes = KeyValuePairs<StaticString, String>

  /// The bytes written so far, in UTF-8.
  private(set) var bytes: [UInt8] = []

  /// Writes markup unchanged.
  mutating func raw(_ markup: StaticString) {
    markup.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Writes text with markup and control characters escaped.
  ///
  /// - Parameters:
  ///   - text: The text as recorded.
  ///   - columns: The maximum width in columns; a longer text ends in `…`.
  mutating func text(_ text: String, columns: Int = 4000) {
    for byte in displayName(text, columns: columns).utf8 {
      switch byte {
      case UInt8(ascii: "&"): raw("&amp;")
      case UInt8(ascii: "<"): raw("&lt;")
      case UInt8(ascii: ">"): raw("&gt;")
      case UInt8(ascii: "\""): raw("&quot;")
      case UInt8(ascii: "'"): raw("&#39;")
      default: bytes.append(byte)
      }
    }
  }

  /// Writes an element with the content that a closure writes.
  mutating func element(
    _ name: StaticString,
    _ attributes: Attributes = [:],
    _ content: (inout HTMLWriter) -> Void
  ) {
    void(name, attributes)
    content(&self)
    raw("</")
    raw(name)
    raw(">")
  }

  /// Writes an element that contains text.
  mutating func element(_ name: StaticString, _ attributes: Attributes = [:], text: String) {
    element(name, attributes) { $0.text(text) }
  }

  /// Writes a void element, or the start tag of another element.
  mutating func void(_ name: StaticString, _ attributes: Attributes = [:]) {
    raw("<")
    raw(name)
    for (name, value) in attributes {
      raw(" ")
      raw(name)
      raw("=\"")
      text(value, columns: 1 << 20)
      raw("\"")
    }
    raw(">")
  }

  /// Writes text in which backticks enclose code.
  mutating func prose(_ text: String) {
    for (place, part) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
      if place.isMultiple(of: 2) {
        self.text(String(part))
      } else {
        element("code", text: String(part))
      }
    }
  }

  /// Writes a section of the page with its heading.
  mutating func section(_ id: String, _ title: String, _ content: (inout HTMLWriter) -> Void) {
    raw("\n")
    element("section", ["id": id, "aria-labelledby": "\(id)-title"]) { html in
      html.element("h2", ["id": "\(id)-title"], text: title)
      content(&html)
    }
  }

  /// Writes an unordered list, or nothing if there are no items.
  mutating func list(_ items: [String]) {
    guard !items.isEmpty else { return }
    element("ul") { html in for item in items { html.element("li", text: item) } }
  }

  /// Writes a region that can be scrolled with the keyboard if its content is too large.
  mutating func scrolling(_ label: String, _ content: (inout HTMLWriter) -> Void) {
    element(
      "div",
      ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": label],
      content
    )
  }
}
