import CReactiveTraceShims
import TraceFormat

extension Signal {
  /// Delays values and completion by a given time.
  ///
  /// ```
  /// source       -1-2-|
  /// delay (3)    ----1-2-|
  /// ```
  ///
  /// A failure is forwarded at once and drops the waiting values (event contract, rule 4).
  ///
  /// - Parameters:
  ///   - interval: The delay.
  ///   - scheduler: Where the delay is timed and the values are forwarded.
  /// - Returns: A signal that completes later than this one by `interval`, and fails as soon as
  ///   this one does.
  /// - Complexity: Retains the waiting values, without a bound, and one timer.
  public func delay(
    _ interval: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("delay", file, line, column, .queues)
    return Signal(site, .one(self), argument: .duration(interval)) { [self] down in
      let stage = DelayStage(down, interval, scheduler, site)
      down.scope.own(stage)
      let upstream = UpstreamScope<Failure>(in: down.scope) { stage.end($0) }
      attach(Sink(upstream, down.trace, nil) { stage.hold(.next($0)) })
    }
  }
}

/// One subscription to `delay`: it keeps its state behind a lock, and sends events and arms the
/// timer after unlocking.
///
/// This class is `@unchecked Sendable` because its superclass `Teardown` is; its own properties are
/// constant or locked.
private final class DelayStage<Value: Sendable, Failure: Error>: Teardown, @unchecked Sendable {
  private let outlet: Outlet<Value, Failure>
  private let interval: Duration
  private let scheduler: any Scheduler
  private let site: Site
  private let state: HeldLocked<DelayState<Value, Failure>>
  private let timer = SerialDisposable()

  init(
    _ down: Sink<Value, Failure>,
    _ interval: Duration,
    _ scheduler: any Scheduler,
    _ site: Site
  ) {
    outlet = Outlet(down)
    down.scope.own(outlet)
    self.interval = max(interval, .zero)
    self.scheduler = scheduler
    self.site = site
    state = HeldLocked(DelayState(), for: down.trace)
  }

  func hold(_ event: DelayState<Value, Failure>.Event) {
    let time = scheduler.now + interval
    // One timer serves all waiting events and may have been armed for an earlier event, so each
    // event carries its own backtrace.
    let event = Postponed(event, on: scheduler)
    if let nextDue = state.change({ $0.hold(event, until: time) }) { arm(for: nextDue) }
  }

  func end(_ end: End<Failure>) {
    if case .failed = end { return outlet.end(end) }
    hold(.end(end))
  }

  private func arm(for time: Duration) {
    let next = ScheduledTimer(
      on: scheduler,
      after: time - scheduler.now,
      site: site,
      trace: outlet.trace
    ) { [self] in fire() }
    // The timer is stored before it is armed, because it may fire, and arm its successor, before
    // `arm` returns.
    timer.inner = next
    next.arm()
  }

  /// Delivers the events that are due.
  ///
  /// After as many as one piece of work of `deliver(on:)` delivers, other work of the scheduler gets
  /// its turn. An immediate scheduler, other than the trampoline, has none, and would run the next
  /// piece inside this one. In virtual time, only the number of events counts, so that tests are deterministic.
  private func fire() {
    typealias Limits = DeliverStage<Value, Failure>
    let kind = scheduler.identity.kind
    let hasNoOtherWork = kind == .immediate && !(scheduler is TrampolineScheduler)
    let most = hasNoOtherWork ? Int.max : Limits.longestTurn
    let hasTimeLimit = !hasNoOtherWork && kind != .virtualTime
    let end = hasTimeLimit ? rxt_coarse_nanoseconds() + Limits.longestTime : .max
    var count = 0
    repeat {
      let now = scheduler.now
      let (event, nextDue) = state.change { $0.take(at: now) }
      guard let event else {
        if let nextDue { arm(for: nextDue) }
        return
      }
      event.deliver { event in
        switch event {
        case .next(let value): outlet.send(value)
        case .end(let end): outlet.end(end)
        }
      }
      count += 1
    } while count < most && (!hasTimeLimit || rxt_coarse_nanoseconds() < end)
    if let nextDue = state.change({ $0.pause() }) { arm(for: nextDue) }
  }

  override func teardown(_ ending: Ending) {
    // The waiting events are released when this method returns, not under the lock.
    let last = state.takeLast { $0.clear() }
    timer.dispose()
    withExtendedLifetime(last) {}
  }
}
