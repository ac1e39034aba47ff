import TraceFormat

extension Signal {
  /// Applies a function on a scheduler, but only to values that have not been replaced by later
  /// values when the scheduler gets to them.
  ///
  /// ```
  /// source                  -1-23---4-|
  /// lazyMap(on: …)          --a---c--d-|   2 was replaced before the scheduler got to it
  /// ```
  ///
  /// Use it for work that is too expensive for outdated values, such as drawing. The function runs
  /// for one value at a time, and is not interrupted; of the values that come while it runs, only
  /// the latest waits. Completion comes after the result of the last value; a failure overtakes and
  /// drops the waiting value (event contract, rule 4).
  ///
  /// - Parameters:
  ///   - scheduler: Where the function runs and the results are forwarded.
  ///   - transform: Runs at most once per value and subscription.
  /// - Returns: A signal with at most as many values as this one, which ends as this one does,
  ///   after the last result.
  /// - Complexity: Retains one value.
  public func lazyMap<Result: Sendable>(
    on scheduler: some Scheduler,
    _ transform: @escaping @Sendable (Value) -> Result,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(
      Site("lazyMap(on:)", file, line, column, .keepsLatest),
      .one(self),
      argument: .scheduler(scheduler.identity)
    ) { [self] down in
      let stage = LazyMapStage(down, scheduler, transform)
      down.scope.own(stage)
      let upstream = UpstreamScope<Failure>(in: down.scope) { stage.end($0) }
      attach(Sink(upstream, down.trace, nil) { stage.receive($0) })
    }
  }
}

/// One subscription to `lazyMap`: it changes its state under a lock, and acts after unlocking.
///
/// This class is `@unchecked Sendable` because its superclass `Teardown` is; its own properties are
/// constant or locked.
private final class LazyMapStage<Value: Sendable, Result: Sendable, Failure: Error>: Teardown,
  @unchecked Sendable
{
  private struct State: Holding, Sendable {
    /// The latest value and the end carry their own backtraces, because the work that handles them
    /// may have been scheduled for an earlier value.
    var latest: Postponed<Value>?
    var end: Postponed<End<Failure>>?
    var scheduled: ScheduledWork?
    /// Whether work is scheduled or running.
    var isBusy = false
    var isOver = false
    var held: Int { latest.held }
  }

  private let outlet: Outlet<Result, Failure>
  private let scheduler: any Scheduler
  private let transform: @Sendable (Value) -> Result
  private let state: HeldLocked<State>

  init(
    _ down: Sink<Result, Failure>,
    _ scheduler: any Scheduler,
    _ transform: @escaping @Sendable (Value) -> Result
  ) {
    outlet = Outlet(down)
    down.scope.own(outlet)
    self.scheduler = scheduler
    self.transform = transform
    state = HeldLocked(State(), for: down.trace)
  }

  func receive(_ value: Value) {
    let value = Postponed(value, on: scheduler)
    // The replaced value is released after unlocking.
    let (mustSchedule, old) = state.change { state -> (Bool, Postponed<Value>?) in
      if state.isOver { return (false, nil) }
      defer {
        state.latest = value
        state.isBusy = true
      }
      return (!state.isBusy, state.latest)
    }
    withExtendedLifetime(old) {}
    if mustSchedule { schedule() }
  }

  func end(_ end: End<Failure>) {
    let later = Postponed(end, on: scheduler)
    let isNow = state.change { state in
      if case .failed = end { return true }
      if state.isBusy { state.end = later }
      return !state.isBusy
    }
    // The end of the subscription drops the waiting value.
    if isNow { outlet.end(end) }
  }

  private func schedule() {
    let work = ScheduledWork(on: scheduler, for: outlet.trace) { self.run() }
    let isOver = state.change { state in
      if !state.isOver { state.scheduled = work }
      return state.isOver
    }
    if isOver { work.dispose() } else { scheduler.run(work) }
  }

  private func run() {
    let value = state.change { state in
      defer {
        state.latest = nil
        state.scheduled = nil
      }
      return state.latest
    }
    value?.deliver { outlet.send(transform($0)) }
    let (mustSchedule, end) = state.change { state -> (Bool, Postponed<End<Failure>>?) in
      state.isBusy = state.latest != nil
      return (state.isBusy, state.isBusy ? nil : state.end)
    }
    if mustSchedule { return schedule() }
    end?.deliver { outlet.end($0) }
  }

  override func teardown(_ ending: Ending) {
    let (work, _) = state.takeLast { state -> (ScheduledWork?, Postponed<Value>?) in
      defer {
        state.isOver = true
        state.latest = nil
        state.scheduled = nil
      }
      return (state.scheduled, state.latest)
    }
    work?.dispose()
  }
}
