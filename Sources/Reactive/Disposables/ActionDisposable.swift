import CReactiveTraceShims
import Synchronization

/// Runs a closure once, when it is disposed of.
public final class ActionDisposable: Disposable {
  private let action: Locked<Work?>
  private let isOver = Atomic<Bool>(false)

  /// - Parameter action: Runs on the thread that disposes, and is released when it has run.
  public init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(Work(action)) }

  // The closure may hold another disposable, and so on: a long chain must not overflow the stack.
  deinit { if rxt_releases_deep() { releaseElsewhere { take() } } }

  /// Whether disposal has begun.
  public var isDisposed: Bool { isOver.load(ordering: .acquiring) }

  /// Runs the action, if it has not run.
  public func dispose() {
    if isOver.exchange(true, ordering: .acquiringAndReleasing) { return }
    if let action = take() { NestingLimit.run(action.run) }
  }

  private func take() -> Work? {
    action.withLock { held in
      defer { held = nil }
      return held
    }
  }
}
