import TraceModel

extension TracePicker {
  /// Shows the screen until a trace is opened.
  ///
  /// An error on opening is shown, and another trace can be chosen.
  ///
  /// - Parameters:
  ///   - terminal: The terminal on which it is shown.
  ///   - traces: The traces to choose from.
  ///   - refresh: The interval of refreshes.
  ///   - describe: A sentence about an error.
  ///   - open: Opens the trace at a path.
  /// - Returns: What was opened; nil if the user quit.
  /// - Throws: The errors of the terminal.
  package mutating func run<Opened>(
    on terminal: inout some Terminal,
    _ traces: inout some TraceListings,
    refresh: Duration,
    describe: (any Error) -> String,
    open: (String) throws -> Opened
  ) throws -> Opened? {
    try terminal.present(frame())
    apply(traces.refresh(selected: selected))
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
        apply(traces.verdicts)
      }
      // This is also done between keys that come without a pause.
      guard ContinuousClock.now >= deadline else { continue }
      apply(traces.refresh(selected: selected))
      deadline = .now + refresh
    }
  }

  /// The time until a finding is shown.
  private static var patience: Duration { .milliseconds(250) }
}
