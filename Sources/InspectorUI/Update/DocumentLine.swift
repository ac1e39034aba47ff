import TraceModel

/// A line of a screen of text, which consists of pieces with different roles.
struct DocumentLine: Sendable, Hashable {
  struct Piece: Sendable, Hashable {
    var text: String
    var role: Role
  }

  var pieces: [Piece]
  /// The screen that Enter opens; nil if the line opens no screen.
  var target: Place?
  /// Whether this line is selected when the screen is opened.
  var isChosen = false

  init(_ text: String = "", role: Role = .text, target: Place? = nil) {
    pieces = text.isEmpty ? [] : [Piece(text: text, role: role)]
    self.target = target
  }

  init(_ pieces: [(String, Role)], target: Place? = nil) {
    self.pieces = pieces.map { Piece(text: $0.0, role: $0.1) }
    self.target = target
  }

  /// A line with a name, padded to the width of a column, and a value.
  static func field(_ name: String, _ value: String, role: Role = .text, target: Place? = nil)
    -> Self
  {
    let padding = String(repeating: " ", count: max(1, 14 - name.count))
    return DocumentLine([("  " + name + padding, .dim), (value, role)], target: target)
  }

  /// The heading of a part of the screen.
  static func heading(_ text: String) -> Self { DocumentLine(text, role: .heading) }

  /// Text, wrapped into as many lines as it needs.
  static func paragraph(_ text: String, width: Int, indent: Int = 2, role: Role = .text) -> [Self] {
    let blank = String(repeating: " ", count: indent)
    return Fitting.wrap(text, max(10, width - indent)).map { DocumentLine(blank + $0, role: role) }
  }

  /// Sentences that say why there is nothing to show and what to do, each wrapped into lines.
  static func emptiness(_ sentences: [String], width: Int) -> [Self] {
    [DocumentLine()]
      + sentences.enumerated().flatMap { place, sentence in
        paragraph(sentence, width: width, role: place == 0 ? .strong : .text)
      }
  }

  var text: String { pieces.map(\.text).joined() }
}
