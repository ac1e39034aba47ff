import CReactiveTraceShims
import Synchronization

/// A placeholder for a disposable that is not known yet, which can be set once.
///
/// Use it for a handler that disposes of its own subscription, possibly before `subscribe` has
/// returned. If the disposable changes, use ``SerialDisposable``.
public final class SingleAssignmentDisposable: Disposable {
  private struct State: Sendable {
    var inner: (any Disposable)?
    var isSet = false
    var isOver = false
  }

  private let state = Locked(State())

  /// Creates a placeholder that holds nothing yet.
  public init() {}

  // The inner disposable may hold another one, and so on: releasing a long chain must not overflow
  // the stack.
  deinit { if rxt_releases_deep() { releaseElsewhere { take() } } }

  /// Whether disposal has begun.
  public var isDisposed: Bool { state.withLock { $0.isOver } }

  /// Sets the disposable; disposes of it at once if this placeholder has been disposed of.
  ///
  /// Setting it a second time is a programming error and traps.
  public func set(_ inner: any Disposable) {
    let (isFirst, isLate) = state.withLock { state in
      defer { state.isSet = true }
      if state.isSet || state.isOver { return (!state.isSet, state.isOver) }
      state.inner = inner
      return (true, false)
    }
    precondition(
      isFirst,
      "SingleAssignmentDisposable: its disposable is already set, and can be set only once"
    )
    if isLate { inner.disposeInside() }
  }

  /// Disposes of the disposable, if it has been set; otherwise it is disposed of when it is set.
  public func dispose() { take()?.disposeInside() }

  private func take() -> (any Disposable)? {
    state.withLock { state in
      defer {
        state.isOver = true
        state.inner = nil
      }
      return state.inner
    }
  }
}
