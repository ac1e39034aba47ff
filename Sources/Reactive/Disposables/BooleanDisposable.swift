import Synchronization

/// Only remembers that it was disposed of: for work that asks now and then whether it should go on.
///
/// There is no type for a disposable that does nothing, nor for any disposable (`AnyDisposable`): the
/// first is this one, the second is `any Disposable`, and ``ActionDisposable`` makes one of a closure.
public final class BooleanDisposable: Disposable {
  private let isOver: Atomic<Bool>

  /// - Parameter isDisposed: Whether it is disposed of from the start.
  public init(isDisposed: Bool = false) { isOver = Atomic(isDisposed) }

  /// Whether it was disposed of.
  public var isDisposed: Bool { isOver.load(ordering: .acquiring) }

  /// Remembers it.
  public func dispose() { isOver.store(true, ordering: .releasing) }
}
