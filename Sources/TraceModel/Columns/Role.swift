/// The meaning of a piece of text on the screen.
///
/// Columns and views choose roles; only palettes decide how a role is drawn.
public enum Role: String, CaseIterable, Sendable {
  /// Ordinary text.
  case text
  /// The part of a row that should be noticed first.
  case strong
  /// Less important text: units, explanations, rows of the past.
  case dim
  /// The line on top: program, state, time.
  case title
  /// Column headings.
  case heading
  /// The heading of the column that the rows are sorted by.
  case sortedHeading
  /// The bar of views and the footer.
  case bar
  /// The view that is open.
  case activeBar
  /// A key in the footer or in the help.
  case key
  /// Alive, running, new since the last refresh.
  case good
  /// Ended since the last refresh.
  case gone
  /// A place in the source.
  case site
  /// A finding of level INFO.
  case info
  /// A finding of level SUSPECT, or a warning.
  case suspect
  /// A finding of level LEAK.
  case leak
  /// A finding of level VIOLATION, a failure.
  case violation
  /// Something the recording has lost.
  case loss
  /// Text that matches the search.
  case match
  /// A message from rxtop: an answer to a key, an error.
  case message
}

extension FindingLevel {
  /// The role with which findings of this level are drawn.
  package var role: Role {
    switch self {
    case .info: .info
    case .suspect: .suspect
    case .leak: .leak
    case .violation: .violation
    }
  }

  /// One letter for a narrow column that shows the severity without relying on colour alone.
  package var sign: String { self == .info ? "i" : "!" }
}
