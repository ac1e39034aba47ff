/// The values that a stage of a subscription holds, behind a lock; their number is recorded in the
/// trace.
///
/// The number is read under the lock, and recorded after unlocking if it has changed.
struct HeldLocked<State: Holding & Sendable>: ~Copyable, Sendable {
  private let state: Locked<State>
  private let count: HeldCount

  init(_ state: State, for trace: SubscriptionTrace?) {
    self.state = Locked(state)
    count = HeldCount(of: trace)
  }

  /// Runs `body` with exclusive access to the state, as ``Locked/withLock(_:)`` does.
  @discardableResult
  borrowing func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    guard count.isRecorded else { return state.withLock(body) }
    let (result, before, held) = state.withLock { state in
      let before = state.held
      return (body(&state), before, state.held)
    }
    if held != before { count.changed(to: held) }
    return result
  }

  /// Takes the values that are left at the end.
  ///
  /// The change is not recorded, because the end of the subscription is recorded instead.
  borrowing func takeLast<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock(body)
  }
}
