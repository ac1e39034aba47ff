import ReactiveTrace

extension Signal {
  /// Forwards a value when no other has come for a while: the last of each burst.
  ///
  /// ```
  /// source          -1-2-3-------4-|
  /// debounce (4)    ---------3-----(4|)
  /// ```
  ///
  /// Completion first forwards the value that waits; a failure overtakes and drops it (contract rule
  /// 4). ReactiveCocoa calls this `throttle`.
  ///
  /// - Parameters:
  ///   - interval: How long it must have been quiet.
  ///   - scheduler: Where the values are forwarded.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that ends as this one does, after the value that waits.
  /// - Complexity: Retains one value, and one timer for each burst.
  public func debounce(
    _ interval: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    let site = Site("debounce", file, line, column)
    return Signal(site, .one(self), argument: .duration(interval)) { [self] down in
      let stage = DebounceStage(down, interval, scheduler, site)
      down.scope.own(stage)
      let upstream = Scope<Failure>(in: down.scope) { stage.end($0) }
      attach(Sink(upstream, down.trace, nil) { stage.receive($0) })
    }
  }
}

/// Holds the lock, and performs the action after unlocking.
///
/// Unchecked for what `Teardown` says; all of these are constant or locked.
private final class DebounceStage<Value: Sendable, Failure: Error>: Teardown, @unchecked Sendable {
  private let outlet: Outlet<Value, Failure>
  private let scheduler: any Scheduler
  private let site: Site
  private let state: Locked<DebounceState<Value, Failure>>
  private let timer = SerialDisposable()

  init(
    _ down: Sink<Value, Failure>,
    _ interval: Duration,
    _ scheduler: any Scheduler,
    _ site: Site
  ) {
    outlet = Outlet(down)
    down.scope.own(outlet)
    self.scheduler = scheduler
    self.site = site
    state = Locked(DebounceState(interval))
  }

  func receive(_ value: Value) {
    let now = scheduler.now
    perform(state.withLock { $0.receive(value, at: now) })
  }

  func end(_ end: End<Failure>) { perform(state.withLock { $0.end(end) }) }

  private func perform(_ action: DebounceState<Value, Failure>.Action) {
    switch action {
    case .nothing: break
    case .arm(let delay):
      timer.inner = ScheduledTimer.start(
        on: scheduler,
        after: delay,
        every: nil,
        site: site,
        trace: outlet.trace
      ) { [self] in
        let now = scheduler.now
        perform(state.withLock { $0.fire(at: now) })
      }
    case .send(let value): outlet.send(value)
    case .end(let value, let end):
      timer.inner = nil
      if let value { outlet.send(value) }
      outlet.end(end)
    }
    if let trace = outlet.trace { Tracer.depth(trace.id, state.withLock { $0.held }) }
  }

  override func teardown(_ ending: Ending) {
    state.withLock { $0.clear() }
    timer.dispose()
  }
}
