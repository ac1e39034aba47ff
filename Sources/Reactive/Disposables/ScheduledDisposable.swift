import CReactiveTraceShims
import Synchronization

/// Disposes of another disposable on a scheduler: for a resource that must be released where it is
/// used, such as on the main queue.
public final class ScheduledDisposable: Disposable {
  private let scheduler: any Scheduler
  private let inner: Locked<(any Disposable)?>
  private let isOver = Atomic<Bool>(false)

  /// - Parameters:
  ///   - inner: The disposable to dispose of.
  ///   - scheduler: Where the inner disposable is disposed of.
  public init(_ inner: any Disposable, on scheduler: some Scheduler) {
    self.scheduler = scheduler
    self.inner = Locked(inner)
  }

  // The inner disposable may hold another one, and so on: a long chain must not overflow the stack.
  deinit { if rxt_releases_deep() { releaseElsewhere { take() } } }

  /// Whether disposal was requested; the scheduler may not have disposed of the inner one yet.
  public var isDisposed: Bool { isOver.load(ordering: .acquiring) }

  /// Schedules the disposal, which cannot be cancelled.
  public func dispose() {
    if isOver.exchange(true, ordering: .acquiringAndReleasing) { return }
    guard let inner = take() else { return }
    scheduler.schedule { inner.disposeInside() }
  }

  private func take() -> (any Disposable)? {
    inner.withLock { inner in
      defer { inner = nil }
      return inner
    }
  }
}
