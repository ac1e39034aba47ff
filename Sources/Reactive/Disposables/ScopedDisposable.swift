/// Disposes of another disposable when it is released: for subscriptions that must not outlive the
/// object that holds them.
public final class ScopedDisposable: Disposable {
  private let inner: any Disposable

  /// - Parameter inner: What to dispose of at the latest when this object goes.
  public init(_ inner: any Disposable) { self.inner = inner }

  deinit { inner.dispose() }

  /// Whether the inner one is disposed of.
  public var isDisposed: Bool { inner.isDisposed }

  /// Disposes of the inner one now.
  public func dispose() { inner.dispose() }
}
