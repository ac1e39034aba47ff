import ReactiveTrace

extension Signal {
  /// Sends a new signal at a fixed interval, which sends the values that come until the next.
  ///
  /// ```
  /// source             -1-2--3-|
  /// window (every 4)   A---B---|
  /// A                  -1-2|
  /// B                      -3-|
  /// ```
  ///
  /// The first is sent on subscription. A window completes when the next begins, also if it had no value.
  /// Windows are hot; see ``groupBy(_:file:line:column:)`` for what is kept for their first subscriber, for
  /// how long the source is subscribed to, and for the order of the ends.
  ///
  /// - Parameters:
  ///   - interval: Must be positive. Where windows have been missed they are left out.
  ///   - scheduler: Where the windows are sent, after the first.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal of windows, which ends exactly when, and as, this one does.
  /// - Complexity: Retains one timer, and the values of a window until it is subscribed to.
  public func window(
    every interval: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<Signal<Value, Failure>, Failure> {
    precondition(
      interval > .zero,
      "window(every: \(interval)): the interval must be positive (OperatorIndex, window(every:))"
    )
    let site = Site("window(every:)", file, line, column, .timer)
    return Signal<Signal<Value, Failure>, Failure>(site, .one(self), argument: .duration(interval))
    {
      [self] down in
      let source = BranchSource<Value, Failure>(for: down.scope)
      let current = Local<Branch<Value, Failure>?>(nil)
      let windows = Sink<WindowOutput<Value>, Failure>(source.scope, down.trace, down.below) {
        switch $0 {
        case .value(let value): current.value?.send(value)
        case .open:
          current.value?.end(.completed)
          guard down.scope.isActive else { return }
          let (window, signal) = source.open(site, isOnly: true)
          current.value = window
          down.next(signal)
        }
      }
      let state = WindowState<Value, Failure>(interval)
      let stage = TimedStage(windows, state, on: scheduler, site: site)
      let upstream = UpstreamScope<Failure>(in: source.scope) { stage.end($0) }
      // The first window is sent when the timer is armed; what comes meanwhile waits in the gate.
      guard stage.outlet.gate.enter() else { return }
      stage.start()
      stage.outlet.gate.leave()
      guard upstream.isActive else { return }
      attach(Sink(upstream, down.trace, stage.outlet) { stage.receive($0) })
    }
  }
}
