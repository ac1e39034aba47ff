import TraceFormat

/// Something that runs work: at once, later, after a delay, or repeatedly.
///
/// A custom scheduler implements ``identity``, ``now``, ``run(_:)`` and ``run(_:after:)``; callers
/// use the `schedule` methods, which add cancellation and tracing.
public protocol Scheduler: AnyObject, Sendable {
  /// The scheduler's name and kind: the same object throughout the lifetime of the scheduler.
  var identity: SchedulerIdentity { get }

  /// Time since an origin that the scheduler chooses. Never decreases.
  var now: Duration { get }

  /// Runs `work` as soon as possible; a serial scheduler runs it after all work that it accepted
  /// earlier.
  func run(_ work: ScheduledWork)

  /// Runs `work` when `delay` has passed, not before.
  func run(_ work: ScheduledWork, after delay: Duration)

  /// Runs `work` when `delay` has passed, not before, and preferably not more than `leeway` later.
  ///
  /// Timers that are due within each other's leeway can share one wake-up of the processor. By
  /// default the leeway is ignored.
  func run(_ work: ScheduledWork, after delay: Duration, leeway: Duration)
}

extension Scheduler {
  /// Runs `work` when `delay` has passed, ignoring the leeway.
  public func run(_ work: ScheduledWork, after delay: Duration, leeway: Duration) {
    run(work, after: delay)
  }
}

extension Scheduler {
  /// Runs a closure on this scheduler as soon as possible.
  ///
  /// - Parameter work: Released when it has run or has been cancelled.
  /// - Returns: A disposable that cancels the work, if it has not begun.
  @discardableResult
  public func schedule(_ work: @escaping @Sendable () -> Void) -> any Disposable {
    let item = ScheduledWork(on: self, for: nil, work)
    run(item)
    return item
  }

  /// Runs a closure on this scheduler once, after a delay.
  ///
  /// - Parameters:
  ///   - delay: A delay of zero or less means none.
  ///   - work: Released when it has run or has been cancelled.
  /// - Returns: A disposable that cancels the timer. Dropping it does not cancel the timer.
  @discardableResult
  public func schedule(
    after delay: Duration,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    ScheduledTimer.start(
      on: self,
      after: delay,
      every: nil,
      site: Site("schedule(after:)", file, line, column, [.timer, .ofProgram]),
      trace: nil,
      work
    )
  }

  /// Runs a closure on this scheduler repeatedly, until the timer is disposed of.
  ///
  /// All fires are due at multiples of the interval after the first, so that they do not drift; if
  /// a run takes longer than the interval, the fires that are missed meanwhile are skipped.
  ///
  /// - Parameters:
  ///   - interval: Time between fires. Must be positive.
  ///   - first: Time before the first fire; by default the interval.
  ///   - leeway: How much later than due the timer may fire, so that the processor need not wake up
  ///     for it alone.
  ///   - work: Released when the timer is disposed of.
  /// - Returns: A disposable that stops the timer. Dropping it does not: the timer then runs for
  ///   ever.
  @discardableResult
  public func schedule(
    every interval: Duration,
    after first: Duration? = nil,
    leeway: Duration = .zero,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    precondition(interval > .zero, "schedule(every: \(interval)): the interval must be positive")
    precondition(leeway >= .zero, "schedule(every:leeway: \(leeway)): the leeway must be ≥ 0")
    let scheduler: any Scheduler = leeway == .zero ? self : LeewayScheduler(self, leeway)
    return ScheduledTimer.start(
      on: scheduler,
      after: first ?? interval,
      every: interval,
      site: Site("schedule(every:)", file, line, column, [.timer, .endless, .ofProgram]),
      trace: nil,
      work
    )
  }
}
