import Synchronization

/// Holds one disposable at a time; setting another disposes of the one before.
public final class SerialDisposable: Disposable {
  private struct Held: Sendable {
    var inner: (any Disposable)?
    var isOver = false
  }

  private let held: Locked<Held>

  /// - Parameter inner: The first disposable to hold.
  public init(_ inner: (any Disposable)? = nil) { held = Locked(Held(inner: inner)) }

  /// Whether disposal has begun.
  public var isDisposed: Bool { held.withLock { $0.isOver } }

  /// The disposable it holds.
  ///
  /// Setting one disposes of the old one; where this one has been disposed of already, it disposes
  /// of the new one instead.
  public var inner: (any Disposable)? {
    get { held.withLock { $0.inner } }
    set { replace(with: newValue)?.dispose() }
  }

  /// Holds `next` from now on and returns, without disposing of it, what it held.
  ///
  /// Disposes of `next` if this one is disposed already.
  public func replace(with next: (any Disposable)?) -> (any Disposable)? {
    let (isLate, old) = held.withLock { held -> (Bool, (any Disposable)?) in
      if held.isOver { return (true, nil) }
      defer { held.inner = next }
      return (false, held.inner === next ? nil : held.inner)
    }
    if isLate { next?.dispose() }
    return old
  }

  /// Disposes of what it holds, and of whatever it is given afterwards.
  public func dispose() {
    let last = held.withLock { held in
      defer {
        held.isOver = true
        held.inner = nil
      }
      return held.inner
    }
    last?.dispose()
  }
}
