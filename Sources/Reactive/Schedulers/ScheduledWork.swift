import TraceFormat
import Synchronization

/// One piece of work that a scheduler has accepted: runs at most once, and can be cancelled until
/// it begins.
///
/// While a trace is recorded, the work carries the asynchronous backtrace of the code that
/// scheduled it.
public final class ScheduledWork: Disposable {
  private enum Phase: UInt8, AtomicRepresentable {
    case waiting
    case begun
    case over
    case cancelled
  }

  private let phase = Atomic<Phase>(.waiting)
  private let body: Locked<Work?>
  private let identity: SchedulerIdentity
  private let hop: HopTrace

  init(
    on scheduler: some Scheduler,
    for trace: SubscriptionTrace?,
    _ body: @escaping @Sendable () -> Void
  ) {
    identity = scheduler.identity
    identity.belongs(to: scheduler)
    self.body = Locked(Work(body))
    hop = HopTrace(on: identity, for: trace)
  }

  /// Creates work for the next fire of a timer, which traces show as part of the hop (one piece of
  /// scheduled work) that is already recorded for the timer.
  init(on scheduler: some Scheduler, in hop: HopTrace, _ body: @escaping @Sendable () -> Void) {
    identity = scheduler.identity
    identity.belongs(to: scheduler)
    self.body = Locked(Work(body))
    self.hop = hop
  }

  /// Whether the work was cancelled before it began, or has run.
  public var isDisposed: Bool {
    switch phase.load(ordering: .acquiring) {
    case .waiting, .begun: false
    case .over, .cancelled: true
    }
  }

  /// Runs the work on the calling thread, unless it was cancelled or has run.
  ///
  /// To be called by schedulers.
  public func run() {
    let (isFirst, _) = phase.compareExchange(
      expected: .waiting,
      desired: .begun,
      ordering: .acquiringAndReleasing
    )
    guard isFirst, let body = takeBody()?.run else { return }
    CurrentScheduler.run(as: identity) { hop.run(body) }
    phase.store(.over, ordering: .releasing)
  }

  /// Cancels the work, if it has not begun, and releases its closure.
  public func dispose() {
    let (isFirst, _) = phase.compareExchange(
      expected: .waiting,
      desired: .cancelled,
      ordering: .acquiringAndReleasing
    )
    guard isFirst else { return }
    _ = takeBody()
    hop.cancelled()
  }

  private func takeBody() -> Work? {
    body.withLock { body in
      defer { body = nil }
      return body
    }
  }
}
