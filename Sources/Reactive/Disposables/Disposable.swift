/// Work that can be cancelled, or a resource that can be released.
///
/// Releasing a disposable does not dispose of it (event contract, rule 7), except for a
/// ``ScopedDisposable``.
public protocol Disposable: AnyObject, Sendable {
  /// Whether disposal has begun; never becomes false again.
  var isDisposed: Bool { get }

  /// Cancels the work. Calling it again does nothing. Any thread may call it.
  ///
  /// After it returns, the same thread receives no further event; another thread may still be
  /// handling the one event that it had begun to deliver (event contract, rule 2).
  func dispose()
}

extension Disposable {
  /// A disposable that disposes of this one when it is released.
  public func scoped() -> ScopedDisposable { ScopedDisposable(self) }
}
