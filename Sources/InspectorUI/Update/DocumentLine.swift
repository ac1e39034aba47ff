import TraceModel

/// A line of a text screen: its pieces with their roles, and the screen that Enter opens.
struct DocumentLine: Sendable, Hashable {
  struct Piece: Sendable, Hashable {
    var text: String
    var role: Role
  }

  var pieces: [Piece]
  /// The screen that Enter opens; nil if the line opens none.
  var target: Place?
  /// Whether this line is selected first.
  var isChosen = false

  init(_ text: String = "", role: Role = .text, target: Place? = nil) {
    pieces = text.isEmpty ? [] : [Piece(text: text, role: role)]
    self.target = target
  }

  init(_ pieces: [(String, Role)], target: Place? = nil) {
    self.pieces = pieces.map { Piece(text: $0.0, role: $0.1) }
    self.target = target
  }

  /// A line with a name in a column of its own, and a value.
  static func field(_ name: String, _ value: String, role: Role = .text, target: Place? = nil)
    -> Self
  {
    let padding = String(repeating: " ", count: max(1, 14 - name.count))
    return DocumentLine([("  " + name + padding, .dim), (value, role)], target: target)
  }

  /// A heading of a part.
  static func heading(_ text: String) -> Self { DocumentLine(text, role: .heading) }

  /// A sentence, on as many lines as it needs.
  static func paragraph(_ text: String, width: Int, indent: Int = 2, role: Role = .text) -> [Self] {
    let blank = String(repeating: " ", count: indent)
    return Fitting.wrap(text, max(10, width - indent)).map { DocumentLine(blank + $0, role: role) }
  }

  /// Says why there is nothing to show, and what to do: sentences, on as many lines as they need.
  static func emptiness(_ sentences: [String], width: Int) -> [Self] {
    [DocumentLine()]
      + sentences.enumerated().flatMap { place, sentence in
        paragraph(sentence, width: width, role: place == 0 ? .strong : .text)
      }
  }

  var text: String { pieces.map(\.text).joined() }
}
