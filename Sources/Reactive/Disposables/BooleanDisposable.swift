import Synchronization

/// Only remembers whether it was disposed of.
///
/// Use it for work that checks now and then whether to continue.
///
/// For a disposable that does nothing, use this type, too; for a type-erased disposable
/// (`AnyDisposable`), use `any Disposable`; ``ActionDisposable`` wraps a closure.
public final class BooleanDisposable: Disposable {
  private let isOver: Atomic<Bool>

  /// - Parameter isDisposed: Whether the disposable is disposed of from the start.
  public init(isDisposed: Bool = false) { isOver = Atomic(isDisposed) }

  /// Whether it was disposed of.
  public var isDisposed: Bool { isOver.load(ordering: .acquiring) }

  /// Remembers that it was disposed of.
  public func dispose() { isOver.store(true, ordering: .releasing) }
}
