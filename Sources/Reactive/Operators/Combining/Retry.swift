extension Signal {
  /// Subscribes again when this signal fails, so many times; then forwards the failure.
  ///
  /// ```
  /// source     -1-#
  /// retry(1)   -1--1-#
  /// ```
  ///
  /// A signal that fails at once is subscribed to again without growing the stack.
  ///
  /// - Parameters:
  ///   - extraTries: Subscriptions beyond the first; must not be negative.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that fails only when the tries are used up.
  public func retry(
    _ extraTries: Int,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    precondition(
      extraTries >= 0,
      "retry(\(extraTries)): the number of tries must be ≥ 0 (OperatorIndex, retry)"
    )
    return Signal(Site("retry", file, line, column), .one(self), argument: .integer(extraTries)) {
      [self] down in
      RetryStage(self, down, extraTries).run()
    }
  }

  /// Subscribes again whenever this signal fails, for ever; see ``retry(_:file:line:column:)``.
  public func retry(
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(Site("retry", file, line, column), .one(self), argument: .none) { [self] down in
      RetryStage(self, down, nil).run()
    }
  }
}

/// Unchecked for `left`, which only the end of one try, and so one thread at a time, touches.
private final class RetryStage<Value: Sendable, Failure: Error>: @unchecked Sendable {
  private let source: Signal<Value, Failure>
  private let down: Sink<Value, Failure>
  private var left: Int?

  init(_ source: Signal<Value, Failure>, _ down: Sink<Value, Failure>, _ extraTries: Int?) {
    self.source = source
    self.down = down
    left = extraTries
  }

  func run() {
    var goesOn = true
    while goesOn, down.scope.isActive {
      let start = StartGuard()
      let upstream = Scope<Failure>(in: down.scope) { end in self.ended(end, start) }
      source.attach(Sink(upstream, down.trace, down.below, next: down.next))
      goesOn = start.hasEnded()
      if goesOn, down.below?.isPathOpen == false { return runLater() }
    }
  }

  private func runLater() {
    guard let below = down.below, !below.isPathOpen else { return run() }
    below.whenOpen { self.run() }
  }

  private func ended(_ end: End<Failure>, _ start: StartGuard) {
    guard case .failed = end, left != 0 else { return down.scope.end(end) }
    left = left.map { $0 - 1 }
    if !start.end() { runLater() }
  }
}
