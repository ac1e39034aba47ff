import TraceModel

extension TracePicker {
  /// Shows the screen until something was opened.
  ///
  /// What cannot be opened is said, and another can be chosen.
  ///
  /// - Parameters:
  ///   - terminal: Where it is shown.
  ///   - traces: What there is.
  ///   - refresh: How often it is looked at.
  ///   - describe: A sentence about an error.
  ///   - open: Opens the trace at a path.
  /// - Returns: What was opened; nil if the user would rather not.
  /// - Throws: What the terminal throws.
  package mutating func run<Opened>(
    on terminal: inout some Terminal,
    _ traces: inout some TraceListings,
    refresh: Duration,
    describe: (any Error) -> String,
    open: (String) throws -> Opened
  ) throws -> Opened? {
    try terminal.present(frame())
    take(traces.refreshed(selected: selected))
    var deadline = ContinuousClock.now + refresh
    while true {
      try terminal.present(frame())
      let soon = traces.isJudging ? min(deadline, .now + Self.patience) : deadline
      if let message = try terminal.nextMessage(before: soon) {
        switch update(message) {
        case .undecided: break
        case .quit: return nil
        case .chosen(let path):
          say("Reading '\(displayName(path))' …")
          try terminal.present(frame())
          do {
            return try open(path)
          } catch {
            say(displayName(describe(error), columns: 400), isProblem: true)
          }
        }
      } else {
        take(traces.verdicts)
      }
      // Also between keys that come without a pause.
      guard ContinuousClock.now >= deadline else { continue }
      take(traces.refreshed(selected: selected))
      deadline = .now + refresh
    }
  }

  /// How soon a finding is shown.
  private static var patience: Duration { .milliseconds(250) }
}
