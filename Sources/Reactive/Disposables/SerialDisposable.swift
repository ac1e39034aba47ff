import CReactiveTraceShims
import Synchronization

/// Holds one disposable at a time.
///
/// Setting ``inner`` disposes of the previous one. ``replace(with:)`` does not: it returns the
/// previous one, for the caller to dispose of or to keep.
public final class SerialDisposable: Disposable {
  private struct Held: Sendable {
    var inner: (any Disposable)?
    var isOver = false
  }

  private let held: Locked<Held>

  /// - Parameter inner: The first disposable to hold.
  public init(_ inner: (any Disposable)? = nil) { held = Locked(Held(inner: inner)) }

  // The inner disposable may hold another one, and so on: releasing a long chain must not overflow
  // the stack.
  deinit { if rxt_releases_deep() { releaseElsewhere { take(forGood: false) } } }

  /// Whether disposal has begun.
  public var isDisposed: Bool { held.withLock { $0.isOver } }

  /// The disposable that this object holds now.
  ///
  /// Setting a new one disposes of the old one. If this object has already been disposed of, the
  /// new one is disposed of at once.
  public var inner: (any Disposable)? {
    get { held.withLock { $0.inner } }
    set { replace(with: newValue)?.disposeInside() }
  }

  /// Replaces the inner disposable, and returns the previous one, which goes on: unlike setting
  /// ``inner``, this does not dispose of it.
  ///
  /// If this object has been disposed of, disposes of `next` and returns nil.
  ///
  /// - Parameters:
  ///   - next: The disposable to hold from now on.
  /// - Returns: The previous disposable, which the caller has to dispose of if it is to end; nil if
  ///   there was none, or if it is `next` itself.
  public func replace(with next: (any Disposable)?) -> (any Disposable)? {
    let (isLate, old) = held.withLock { held -> (Bool, (any Disposable)?) in
      if held.isOver { return (true, nil) }
      defer { held.inner = next }
      return (false, held.inner === next ? nil : held.inner)
    }
    if isLate { next?.disposeInside() }
    return old
  }

  /// Disposes of the inner disposable, and of any that is set afterwards.
  public func dispose() {
    take(forGood: true)?.disposeInside()
  }

  private func take(forGood: Bool) -> (any Disposable)? {
    held.withLock { held in
      defer {
        held.isOver = held.isOver || forGood
        held.inner = nil
      }
      return held.inner
    }
  }
}
