import CReactiveTraceShims

/// Disposes of an inner disposable when this one and all its dependents have been disposed of: for
/// a resource with several users.
///
/// ```swift
/// let connection = RefCountDisposable(ActionDisposable { socket.close() })
/// let first = connection.dependent()
/// connection.dispose()      // open
/// first.dispose()           // closed
/// ```
public final class RefCountDisposable: Disposable {
  private struct State: Sendable {
    var inner: (any Disposable)?
    var dependents = 0
    var isOver = false

    /// Takes the inner disposable, if this one and all dependents have been disposed of.
    mutating func release() -> (any Disposable)? {
      guard isOver, dependents == 0 else { return nil }
      defer { inner = nil }
      return inner
    }
  }

  private let state: Locked<State>

  /// - Parameter inner: Disposed of when this one and all dependents have been disposed of.
  public init(_ inner: any Disposable) { state = Locked(State(inner: inner)) }

  // The inner disposable may hold another one, and so on: a long chain must not overflow the stack.
  deinit {
    if rxt_releases_deep() {
      releaseElsewhere {
        state.withLock { state in
          defer { state.inner = nil }
          return state.inner
        }
      }
    }
  }

  /// Whether this disposable has been disposed of; dependents may still hold the inner one.
  public var isDisposed: Bool { state.withLock { $0.isOver } }

  /// Adds a dependent: the inner disposable is not disposed of before the dependent is.
  ///
  /// - Returns: The dependent, which must be disposed of; dropping it does not release the inner
  ///   one. If the inner one has been disposed of, so has the returned one.
  public func dependent() -> any Disposable {
    let isLate = state.withLock { state in
      if state.inner == nil { return true }
      state.dependents += 1
      return false
    }
    if isLate { return BooleanDisposable(isDisposed: true) }
    return ActionDisposable { [self] in
      let inner = state.withLock { state in
        state.dependents -= 1
        return state.release()
      }
      inner?.disposeInside()
    }
  }

  /// Disposes of the inner disposable, unless dependents are left.
  ///
  /// In that case, the last dependent disposes of it.
  public func dispose() {
    let inner = state.withLock { state in
      state.isOver = true
      return state.release()
    }
    inner?.disposeInside()
  }
}
