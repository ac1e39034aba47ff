/// The source of an operator that sends a signal for each ``Branch``.
///
/// The source is subscribed to for as long as it has users: the subscriber of the operator's own
/// signal, and the subscribers of the branches.
@usableFromInline
final class BranchSource<Value: Sendable, Failure: Error>: Sendable {
  private struct State: Sendable {
    var users = 1
    var isOver = false
    /// The branches that have not ended, in the order in which they were made.
    var branches: [Branch<Value, Failure>] = []

    mutating func close() -> [Branch<Value, Failure>] {
      defer {
        isOver = true
        branches = []
      }
      return branches
    }
  }

  /// The scope of the subscription to the source: the object that ends the subscription.
  @usableFromInline let scope: UpstreamScope<Failure>
  @usableFromInline let outer: Scope<Failure>
  private let state = Locked(State())

  /// Creates a source whose first user is the subscriber of the operator's own signal.
  ///
  /// - Parameters:
  ///   - outer: The scope of the operator's own signal.
  ///   - ending: Receives the end of the source; has to call ``end(_:)``, at once or later.
  @usableFromInline
  init(
    for outer: Scope<Failure>,
    ending: @escaping @Sendable (BranchSource, End<Failure>) -> Void = { $0.end($1) }
  ) {
    self.outer = outer
    scope = UpstreamScope { _ in }
    // `onEnd` is set before anything else refers to the scope.
    scope.onEnd = { ending(self, $0) }
    outer.own(ActionTeardown { self.leave() })
  }

  /// Opens a new branch with its signal.
  ///
  /// - Parameters:
  ///   - site: The site of the operator.
  ///   - isOnly: Whether all other branches have ended.
  /// - Returns: The branch and its signal, which the caller has to send once.
  @usableFromInline
  func open(_ site: Site, isOnly: Bool) -> (Branch<Value, Failure>, Signal<Value, Failure>) {
    open(isOnly: isOnly) { Signal(direct: site, start: $0) }
  }

  /// Opens a new branch with a signal that `make` creates from the start function that it receives.
  @usableFromInline
  func open<Made: Signal<Value, Failure>>(
    isOnly: Bool,
    _ make: (@escaping Signal<Value, Failure>.Start) -> Made
  ) -> (Branch<Value, Failure>, Made) {
    let branch = Branch<Value, Failure>()
    let signal = branch.signal(self, make)
    let isOver = state.withLock { state in
      if state.isOver { return true }
      // A caller that passes true for `isOnly` still retains the previous branch, so nothing is
      // freed under the lock.
      if isOnly { state.branches.removeAll(keepingCapacity: true) }
      state.branches.append(branch)
      return false
    }
    if isOver { branch.end(.sourceGone) }
    return (branch, signal)
  }

  /// Removes a branch that is about to end before the source does.
  func remove(_ branch: Branch<Value, Failure>) {
    state.withLock { state in state.branches.removeAll { $0 === branch } }
  }

  /// Adds a user until the user's scope ends.
  @usableFromInline
  func join(_ user: Scope<Failure>) {
    let isLate = state.withLock { state in
      if !state.isOver { state.users += 1 }
      return state.isOver
    }
    if !isLate { user.own(ActionTeardown { self.leave() }) }
  }

  /// Removes a user; when no user is left, disposes of the source and ends the branches.
  private func leave() {
    let forsaken = state.withLock { state -> [Branch<Value, Failure>]? in
      state.users -= 1
      return state.users == 0 && !state.isOver ? state.close() : nil
    }
    guard let forsaken else { return }
    scope.cancel(.cancelled)
    for branch in forsaken { branch.end(.sourceGone) }
  }

  /// Handles the end of the source: first the operator's own signal ends, then its branches in the
  /// order in which they were made.
  @usableFromInline
  func end(_ end: End<Failure>) {
    let branches = state.withLock { $0.close() }
    outer.end(end)
    for branch in branches { branch.end(end) }
  }
}
