/// Limits the time that a signal may take, as a whole or from one value to the next.
///
/// When the time has run out, a closure is called once.
///
/// The class is not generic, so that no type metadata has to be looked up at run time. The source
/// and the timer may send at the same time on different threads; the gate of the operator puts
/// their events in order. This class is `@unchecked Sendable` because its superclass ``Teardown``
/// is; its own properties are constant or locked.
@usableFromInline
final class TimeLimit: Teardown, @unchecked Sendable {
  private struct State: Sendable {
    var alarm = Alarm()
    /// Nil once the time has run out, or the subscription has ended.
    var onTimeout: Work?
  }

  private let interval: Duration
  private let restartsWithEachValue: Bool
  private let scheduler: any Scheduler
  private let site: Site
  private let trace: SubscriptionTrace?
  private let state: Locked<State>
  private let timer = SerialDisposable()
  private let cause = TimerCause()

  /// - Parameters:
  ///   - interval: The time; a negative time counts as zero.
  ///   - restartsWithEachValue: Whether the time restarts with each value.
  ///   - scheduler: Measures the time, and runs `onTimeout`.
  ///   - site: The operator's name and line, recorded for its timers.
  ///   - trace: Identifies the operator's subscription in the trace; nil if nothing is recorded.
  ///   - onTimeout: Called when the time has run out, unless the subscription has ended.
  @usableFromInline
  init(
    _ interval: Duration,
    restartsWithEachValue: Bool,
    on scheduler: any Scheduler,
    _ site: Site,
    _ trace: SubscriptionTrace?,
    onTimeout: @escaping @Sendable () -> Void
  ) {
    self.interval = max(interval, .zero)
    self.restartsWithEachValue = restartsWithEachValue
    self.scheduler = scheduler
    self.site = site
    self.trace = trace
    state = Locked(State(onTimeout: Work(onTimeout)))
    super.init()
  }

  /// Starts to measure the time.
  @usableFromInline
  func start() { if let delay = renew() { arm(for: delay) } }

  /// Restarts the time if `restartsWithEachValue` is true; must be called before each value is
  /// sent.
  @usableFromInline
  func received() {
    cause.valueArrived(on: scheduler)
    // The timer stays armed until the time has run out, so `renew` returns no delay for which to
    // arm it.
    if restartsWithEachValue { _ = renew() }
  }

  private func renew() -> Duration? {
    let now = scheduler.now
    return state.withLock { $0.onTimeout == nil ? nil : $0.alarm.set(to: now + interval, at: now) }
  }

  private func arm(for delay: Duration) {
    let next = ScheduledTimer(on: scheduler, after: delay, site: site, trace: trace) { [self] in
      fire()
    }
    // The timer is stored before it is armed, because it may fire, and arm its successor, before
    // `arm` returns.
    timer.inner = next
    next.arm()
  }

  private func fire() {
    let now = scheduler.now
    let (fired, onTimeout) = state.withLock { state in
      let onTimeout = state.onTimeout
      let fired = onTimeout == nil ? .idle : state.alarm.fire(at: now)
      if fired == .due { state.onTimeout = nil }
      return (fired, onTimeout)
    }
    // `onTimeout` retains the operator's subscription, which must stay known to the trace until the
    // next timer has been recorded.
    withExtendedLifetime(onTimeout) {
      cause.fire {
        switch fired {
        case .idle: break
        case .early(let left): arm(for: left)
        case .due: onTimeout?.run()
        }
      }
    }
  }

  @usableFromInline
  override func teardown(_ ending: Ending) {
    // The objects that `onTimeout` retains are released when this method returns, not under the
    // lock.
    let last = state.withLock { state in
      defer { state.onTimeout = nil }
      return state.onTimeout
    }
    timer.dispose()
    withExtendedLifetime(last) {}
  }
}
