import TraceFormat

/// Runs work at once, on the thread that schedules it.
///
/// Work with a delay runs on ``QueueScheduler/background``, so that scheduling never blocks (event
/// contract, rule 10).
public final class ImmediateScheduler: Scheduler {
  /// The only instance.
  public static let shared = ImmediateScheduler()

  /// The scheduler's name and kind.
  public let identity = SchedulerIdentity(name: "immediate", kind: .immediate)

  private init() {}

  /// The monotonic clock.
  public var now: Duration { QueueScheduler.background.now }

  /// Runs `work` before this method returns.
  public func run(_ work: ScheduledWork) { work.run() }

  /// Runs `work` on the background scheduler when `delay` has passed; at once if the delay is zero
  /// or less.
  public func run(_ work: ScheduledWork, after delay: Duration) {
    if delay <= .zero { return work.run() }
    QueueScheduler.background.run(work, after: delay)
  }
}

extension Scheduler where Self == ImmediateScheduler {
  /// Runs work at once, on the calling thread.
  public static var immediate: ImmediateScheduler { .shared }
}
