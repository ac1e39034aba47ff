import TraceModel

extension TracePicker {
  /// Shows the screen until a trace is opened or the user quits.
  ///
  /// If a trace cannot be opened, the error is shown, and the user can choose another trace.
  ///
  /// - Parameters:
  ///   - terminal: The terminal that shows the screen.
  ///   - traces: The traces to choose from.
  ///   - refresh: The time between two refreshes of the list.
  ///   - describe: Describes an error in a sentence.
  ///   - open: Opens the trace at a path.
  /// - Returns: The result of `open`; nil if the user quit.
  /// - Throws: Any error of the terminal.
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
      let soon = traces.isChecking ? min(deadline, .now + Self.verdictInterval) : deadline
      if let message = try terminal.nextMessage(before: soon) {
        switch update(message) {
        case .undecided: break
        case .quit: return nil
        case .chosen(let path):
          showNote("Reading '\(displayName(path))' …")
          try terminal.present(frame())
          do {
            return try open(path)
          } catch {
            showNote(displayName(describe(error), columns: 400), isProblem: true)
          }
        }
      } else {
        apply(traces.verdicts)
      }
      // The deadline is checked after every message, so that the list is refreshed even while keys
      // arrive without a pause.
      guard ContinuousClock.now >= deadline else { continue }
      apply(traces.refresh(selected: selected))
      deadline = .now + refresh
    }
  }

  /// The time between two checks for new verdicts on the traces that are being examined.
  private static var verdictInterval: Duration { .milliseconds(250) }
}
