import CReactiveTraceShims
import Synchronization

/// Disposes of another disposable when this object is released: for subscriptions that must not
/// outlive the object that holds them.
public final class ScopedDisposable: Disposable {
  private let inner: Locked<(any Disposable)?>
  private let isOver = Atomic<Bool>(false)

  /// - Parameter inner: The disposable to dispose of, at the latest when this object is released.
  public init(_ inner: any Disposable) { self.inner = Locked(inner) }

  deinit {
    dispose()
    // The inner disposable may hold another one, and so on: a long chain must not overflow the
    // stack.
    if rxt_releases_deep() { releaseElsewhere { take() } }
  }

  /// Whether this one or the inner disposable has been disposed of.
  public var isDisposed: Bool {
    var next: (any Disposable)? = self
    while let one = next as? ScopedDisposable {
      if one.isOver.load(ordering: .acquiring) { return true }
      next = one.inner.withLock { $0 }
    }
    return next?.isDisposed ?? true
  }

  /// Disposes of the inner one now.
  public func dispose() {
    if isOver.exchange(true, ordering: .acquiringAndReleasing) { return }
    inner.withLock { $0 }?.disposeInside()
  }

  private func take() -> (any Disposable)? {
    inner.withLock { inner in
      defer { inner = nil }
      return inner
    }
  }
}
