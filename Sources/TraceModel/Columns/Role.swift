/// What a piece of the screen means.
///
/// Columns and views choose roles; only palettes know how they look.
public enum Role: String, CaseIterable, Sendable {
  /// Ordinary text.
  case text
  /// What the eye should find first in a row.
  case strong
  /// What matters less: units, explanations, rows of the past.
  case dim
  /// The line on top: program, state, time.
  case title
  /// Column headings.
  case heading
  /// The heading of the column that sorts.
  case sortedHeading
  /// The bar of views and the footer.
  case bar
  /// The view that is open.
  case activeBar
  /// A key in the footer or in the help.
  case key
  /// Alive, running, new since the last refresh.
  case good
  /// Gone since the last refresh, ended.
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
  /// What the program has to say: an answer to a key, an error.
  case message
}

extension FindingLevel {
  /// How it looks.
  package var role: Role {
    switch self {
    case .info: .info
    case .suspect: .suspect
    case .leak: .leak
    case .violation: .violation
    }
  }

  /// One letter for a narrow column: how serious it is, never by colour alone.
  package var sign: String { self == .info ? "i" : "!" }
}
