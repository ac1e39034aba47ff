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
  /// The first is sent at once. A window is hot: whoever subscribes to it later misses what came before.
  /// It completes when the next one begins, also if it had no value, and ends as this signal does. It does
  /// not keep the subscription of this signal: when that is disposed of (by `take(1)` for instance), the
  /// window ends without an event (contract rule 11).
  ///
  /// - Parameters:
  ///   - interval: Must be positive. Where windows have been missed they are left out.
  ///   - scheduler: Where the windows are sent, after the first.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal of signals, which ends as this one does.
  /// - Complexity: Retains no values; one timer.
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
      let windows = WindowStage(down, site)
      let whole = Scope<Failure>(in: down.scope) { windows.end($0) }
      let stage = TimedStage(
        Sink(whole, down.trace, down.below) { windows.receive($0) },
        WindowState<Value, Failure>(interval),
        on: scheduler,
        site: site
      )
      let upstream = Scope<Failure>(in: whole) { stage.end($0) }
      stage.start()
      guard upstream.isActive else { return }
      attach(Sink(upstream, down.trace, stage.outlet) { stage.receive($0) })
    }
  }
}

/// The window that is open.
///
/// Unchecked for what `Teardown` says; all of these are constant or locked.
private final class WindowStage<Value: Sendable, Failure: Error>: Teardown, @unchecked Sendable {
  private let down: Sink<Signal<Value, Failure>, Failure>
  private let site: Site
  private let open = Locked<Hub<Value, Failure>?>(nil)

  init(_ down: Sink<Signal<Value, Failure>, Failure>, _ site: Site) {
    self.down = down
    self.site = site
    super.init()
    down.scope.own(self)
  }

  func receive(_ output: WindowState<Value, Failure>.Output) {
    switch output {
    case .value(let value): open.withLock { $0 }?.send(value)
    case .open:
      let hub = Hub<Value, Failure>()
      let window = Signal<Value, Failure>(site, argument: .none) { hub.add($0) }
      hub.id = window.node.id
      replace(with: hub)?.end(.completed)
      if down.scope.isActive { down.next(window) } else { teardown(.cancelled) }
    }
  }

  func end(_ end: End<Failure>) {
    replace(with: nil)?.end(end)
    down.scope.end(end)
  }

  private func replace(with hub: Hub<Value, Failure>?) -> Hub<Value, Failure>? {
    open.withLock { open in
      defer { open = hub }
      return open
    }
  }

  override func teardown(_ ending: Ending) { replace(with: nil)?.end(.sourceGone) }
}
