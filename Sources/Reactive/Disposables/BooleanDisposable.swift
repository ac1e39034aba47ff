import Synchronization

/// Only remembers whether it was disposed of.
///
/// Use it for work that checks now and then whether to continue.
///
/// There is no type for a disposable that does nothing, nor a type-erased one (`AnyDisposable`):
/// use this type for the first, and `any Disposable` for the second; ``ActionDisposable`` wraps a
/// closure.
public final class BooleanDisposable: Disposable {
  private let isOver: Atomic<Bool>

  /// - Parameter isDisposed: Whether it is disposed of from the start.
  public init(isDisposed: Bool = false) { isOver = Atomic(isDisposed) }

  /// Whether it was disposed of.
  public var isDisposed: Bool { isOver.load(ordering: .acquiring) }

  /// Remembers that it was disposed of.
  public func dispose() { isOver.store(true, ordering: .releasing) }
}
