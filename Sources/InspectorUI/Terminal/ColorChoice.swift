/// The value of `--color`, which says when colour is used.
public enum ColorChoice: String, CaseIterable, Sendable {
  case auto, always, never

  /// The palette to draw with, or nil for plain text.
  ///
  /// - Parameters:
  ///   - isTerminal: Whether the output is a terminal.
  ///   - noColor: The value of `NO_COLOR`; unless it is empty, it turns colour off
  ///     (no-color.org).
  ///   - term: The value of `TERM`; if it is `dumb`, empty or missing, the terminal shows neither
  ///     colours nor styles.
  /// - Returns: The palette; nil for plain text.
  public func palette(isTerminal: Bool, noColor: String?, term: String?) -> Palette? {
    switch self {
    case .always: return .color
    case .never: return isTerminal && !Self.isDumb(term) ? .mono : nil
    case .auto:
      guard isTerminal, !Self.isDumb(term) else { return nil }
      return noColor?.isEmpty == false ? .mono : .color
    }
  }

  private static func isDumb(_ term: String?) -> Bool {
    term == nil || term == "" || term == "dumb"
  }
}
