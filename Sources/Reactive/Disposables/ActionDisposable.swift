import Synchronization

/// Runs a closure when it is disposed of, once.
public final class ActionDisposable: Disposable {
  private let action: Locked<(@Sendable () -> Void)?>
  private let isOver = Atomic<Bool>(false)

  /// - Parameter action: Runs on the thread that disposes; released after it ran.
  public init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(action) }

  /// Whether disposal has begun.
  public var isDisposed: Bool { isOver.load(ordering: .acquiring) }

  /// Runs the action, if it has not run.
  public func dispose() {
    if isOver.exchange(true, ordering: .acquiringAndReleasing) { return }
    let action = self.action.withLock { held in
      defer { held = nil }
      return held
    }
    action?()
  }
}
