import TraceFormat
import Synchronization

/// A timer that fires once or repeatedly, as a separate entity in the trace.
///
/// The scheduler holds the timer while the timer is armed; the timer holds its closure until the
/// timer has ended.
@usableFromInline
final class ScheduledTimer: Teardown, Disposable, @unchecked Sendable {
  private struct State: Sendable {
    var work: Work?
    var armed: ScheduledWork?
    var fires: Int64 = 0
    var isOver = false
  }

  // Unchecked because the superclass `Teardown` is; the timer's own properties are constant or
  // locked.
  private let scheduler: any Scheduler
  private let first: Duration
  private let interval: Duration?
  private let trace: TimerTrace
  private let state: Locked<State>

  /// Makes a timer and arms it.
  ///
  /// The timer may fire before this method returns. If the timer is stored in a variable, and
  /// `work` may replace it there or end its owner, create the timer with the initializer, store it,
  /// and then call ``arm()``.
  ///
  /// - Parameters:
  ///   - scheduler: Where the work runs.
  ///   - delay: How long to wait before the first fire.
  ///   - interval: nil for a timer that fires once.
  ///   - site: The site that armed the timer.
  ///   - trace: The subscription that the timer belongs to; nil if a program made the timer.
  ///   - work: Released when the timer has ended.
  /// - Returns: The timer, armed.
  @usableFromInline
  static func start(
    on scheduler: any Scheduler,
    after delay: Duration,
    every interval: Duration?,
    site: Site,
    trace: SubscriptionTrace?,
    _ work: @escaping @Sendable () -> Void
  ) -> ScheduledTimer {
    let timer = ScheduledTimer(
      on: scheduler,
      after: delay,
      every: interval,
      site: site,
      trace: trace,
      work
    )
    timer.arm()
    return timer
  }

  /// Creates a timer that is not armed yet; see ``start(on:after:every:site:trace:_:)``.
  @usableFromInline
  init(
    on scheduler: any Scheduler,
    after delay: Duration,
    every interval: Duration? = nil,
    site: Site,
    trace: SubscriptionTrace?,
    _ work: @escaping @Sendable () -> Void
  ) {
    self.scheduler = scheduler
    self.interval = interval
    first = scheduler.now + max(delay, .zero)
    state = Locked(State(work: Work(work)))
    self.trace = TimerTrace(on: scheduler.identity, every: interval, site, for: trace)
    super.init()
  }

  @usableFromInline var isDisposed: Bool { state.withLock { $0.isOver } }

  @usableFromInline
  func dispose() { finish(.cancelled) }

  @usableFromInline
  override func teardown(_ ending: Ending) { finish(.cancelled) }

  /// Arms the timer, once; a timer that has been disposed of does not fire.
  @usableFromInline
  func arm() {
    if !arm(at: first) { trace.hop.cancelled() }
  }

  @discardableResult
  private func arm(at time: Duration, after least: Duration = .zero) -> Bool {
    let work = ScheduledWork(on: scheduler, in: trace.hop) { self.fire() }
    let isOver = state.withLock { state in
      if !state.isOver { state.armed = work }
      return state.isOver
    }
    if !isOver { scheduler.run(work, after: max(time - scheduler.now, least)) }
    return !isOver
  }

  private func fire() {
    guard let work = state.withLock({ $0.work }) else { return }
    trace.fire {
      if interval == nil { finish(.completed) }
      work.run()
    }
    guard let interval else { return }
    // An immediate scheduler would run work without a delay inside the call that schedules it: a
    // timer whose next fire is already due would recurse.
    let least: Duration = scheduler.identity.kind == .immediate ? .nanoseconds(1) : .zero
    arm(at: next(after: interval), after: least)
  }

  /// The next due time that has not passed.
  private func next(after interval: Duration) -> Duration {
    let elapsed = scheduler.now - first
    // The number of intervals that have passed may not fit in `Int64` if they are shorter than a
    // nanosecond.
    let passed = Int64(min(elapsed / interval, 0x1p62))
    return state.withLock { state in
      state.fires = max(state.fires + 1, passed + (elapsed < .zero ? 0 : 1))
      return first + interval * Int(state.fires)
    }
  }

  private func finish(_ reason: EndReason) {
    // The closure is released when this method returns, not under the lock: releasing it may
    // dispose of the timer.
    let (isFirst, armed, work) = state.withLock { state in
      defer {
        state.isOver = true
        state.work = nil
        state.armed = nil
      }
      return (!state.isOver, state.armed, state.work)
    }
    defer { withExtendedLifetime(work) {} }
    guard isFirst else { return }
    if reason == .cancelled { armed?.dispose() }
    trace.ended(reason)
  }
}
