import TraceFormat

extension Signal {
  /// Sends a new signal at a fixed interval; each signal forwards the values until the next signal
  /// begins.
  ///
  /// ```
  /// source             -1-2--3-|
  /// window (every 4)   A---B---|
  /// A                  -1-2|
  /// B                      -3-|
  /// ```
  ///
  /// These signals are called *windows*. The first window is sent on subscription. A window
  /// completes when the next one begins, even if it had no value. Windows are hot;
  /// ``groupBy(_:file:line:column:)`` describes which values are kept for the first subscriber, how
  /// long the subscription to the source lasts, and in which order signals end.
  ///
  /// - Parameters:
  ///   - interval: Must be positive. If the scheduler is late by more than an interval, the windows
  ///     that would have begun in that time are skipped.
  ///   - scheduler: Where all windows but the first are sent.
  /// - Returns: A signal of windows, which ends exactly when this one does, and in the same way.
  /// - Complexity: Retains one timer, and the values of a window until it is subscribed to.
  public func window(
    every interval: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Signal<Value, Failure>, Failure> {
    precondition(
      interval > .zero,
      "window(every: \(interval)): the interval must be positive (OperatorIndex, window(every:))"
    )
    return windows(
      WindowState(interval, limit: nil),
      on: scheduler,
      Site("window(every:)", file, line, column, .timer),
      .duration(interval)
    )
  }

  /// Sends a new signal after an interval or a given number of values, whichever comes first; each
  /// signal forwards the values until the next signal begins.
  ///
  /// ```
  /// source                     -1-2-3--------|
  /// window (every 5, or 2)     A--B----C----D|
  /// A                          -1-(2|)
  /// B                             --3--|
  /// C                                  -----|
  /// ```
  ///
  /// This operator corresponds to `window(timeSpan:count:)` of RxSwift. The first window is sent on
  /// subscription, and each later window when the previous one ends. The interval of a window
  /// begins when the window is sent. A full window completes directly after its last value. In all
  /// other respects, this operator works like ``window(every:on:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - interval: How long a window lasts at most; must be positive.
  ///   - count: How many values fill a window; at least 1.
  ///   - scheduler: Where a window is sent if it begins because the interval of the previous window
  ///     has passed.
  /// - Returns: A signal of windows, which ends exactly when this one does, and in the same way.
  /// - Complexity: Retains one timer, and at most `count` values of a window until it is subscribed
  ///   to.
  public func window(
    every interval: Duration,
    orCount count: Int,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Signal<Value, Failure>, Failure> {
    precondition(
      interval > .zero && count >= 1,
      "window(every: \(interval), orCount: \(count)): both must be positive (OperatorIndex, window(every:))"
    )
    return windows(
      WindowState(interval, limit: count),
      on: scheduler,
      Site("window(every:)", file, line, column, .timer),
      .written { "\(spelled(interval)), orCount: \(count), …" }
    )
  }

  private func windows(
    _ state: WindowState<Value, Failure>,
    on scheduler: any Scheduler,
    _ site: Site,
    _ argument: Argument
  ) -> Signal<Signal<Value, Failure>, Failure> {
    Signal<Signal<Value, Failure>, Failure>(site, .one(self), argument: argument) { [self] down in
      let source = BranchSource<Value, Failure>(for: down.scope)
      let current = StageState<Branch<Value, Failure>?>(nil)
      let open: @Sendable () -> Void = { [scope = down.scope, next = down.next] in
        current.value?.end(.completed)
        guard scope.isActive else { return }
        let (window, signal) = source.open(site, isOnly: true)
        current.value = window
        next(signal)
      }
      let windows = Sink<WindowOutput<Value>, Failure>(
        source.scope,
        down.trace,
        down.downstreamGate
      ) {
        switch $0 {
        case .value(let value): current.value?.send(value)
        case .last(let value):
          current.value?.send(value)
          open()
        case .open: open()
        }
      }
      let stage = TimedStage(windows, state, on: scheduler, site: site)
      let upstream = UpstreamScope<Failure>(in: source.scope) { stage.end($0) }
      // Inside the gate, which lets one thread at a time send, starting the stage only queues the
      // first window. Leaving the gate sends that window and then arms the timer; events that
      // arrive in the meantime wait in the gate.
      guard stage.outlet.gate.enter() else { return }
      stage.start()
      stage.outlet.gate.leave()
      guard upstream.isActive else { return }
      attach(Sink(upstream, down.trace, stage.outlet) { stage.receive($0) })
    }
  }
}
