/// The source of an operator that sends branches.
///
/// It is subscribed to as long as somebody listens, to the operator's own signal or to one of its
/// branches: these count as users.
@usableFromInline
final class BranchSource<Value: Sendable, Failure: Error>: Sendable {
  private struct State: Sendable {
    var users = 1
    var isOver = false
    /// Those that have not ended, in the order they were made.
    var branches: [Branch<Value, Failure>] = []

    mutating func close() -> [Branch<Value, Failure>] {
      defer {
        isOver = true
        branches = []
      }
      return branches
    }
  }

  /// What the source is subscribed to with.
  @usableFromInline let scope: UpstreamScope<Failure>
  @usableFromInline let outer: Scope<Failure>
  private let state = Locked(State())

  /// The operator's own signal is the first user.
  ///
  /// - Parameters:
  ///   - outer: The scope of the operator's own signal.
  ///   - ending: Calls ``end(_:)``, where something has to come first.
  @usableFromInline
  init(
    for outer: Scope<Failure>,
    ending: @escaping @Sendable (BranchSource, End<Failure>) -> Void = { $0.end($1) }
  ) {
    self.outer = outer
    scope = UpstreamScope { _ in }
    // Before anybody else knows the scope.
    scope.onEnd = { ending(self, $0) }
    outer.own(ActionTeardown { self.leave() })
  }

  /// A new branch, and its signal.
  ///
  /// - Parameters:
  ///   - site: The operator's.
  ///   - isOnly: The others have ended.
  /// - Returns: Both; the signal is to be handed out once.
  @usableFromInline
  func open(_ site: Site, isOnly: Bool) -> (Branch<Value, Failure>, Signal<Value, Failure>) {
    open(isOnly: isOnly) { Signal(direct: site, start: $0) }
  }

  /// A new branch, and its signal, which `make` makes of how it starts.
  @usableFromInline
  func open<Made: Signal<Value, Failure>>(
    isOnly: Bool,
    _ make: (@escaping Signal<Value, Failure>.Start) -> Made
  ) -> (Branch<Value, Failure>, Made) {
    let branch = Branch<Value, Failure>()
    let signal = branch.signal(self, make)
    let isOver = state.withLock { state in
      if state.isOver { return true }
      // Whoever says that it is the only one holds the one before: nothing is freed here.
      if isOnly { state.branches.removeAll(keepingCapacity: true) }
      state.branches.append(branch)
      return false
    }
    if isOver { branch.end(.sourceGone) }
    return (branch, signal)
  }

  /// A branch is about to end by itself.
  func remove(_ branch: Branch<Value, Failure>) {
    state.withLock { state in state.branches.removeAll { $0 === branch } }
  }

  /// One more user, until its scope ends.
  @usableFromInline
  func join(_ user: Scope<Failure>) {
    let isLate = state.withLock { state in
      if !state.isOver { state.users += 1 }
      return state.isOver
    }
    if !isLate { user.own(ActionTeardown { self.leave() }) }
  }

  /// The last user to go ends the source, and so the branches.
  private func leave() {
    let forsaken = state.withLock { state -> [Branch<Value, Failure>]? in
      state.users -= 1
      return state.users == 0 && !state.isOver ? state.close() : nil
    }
    guard let forsaken else { return }
    scope.cancel(.cancelled)
    for branch in forsaken { branch.end(.sourceGone) }
  }

  /// The source has ended: first the operator's own signal does, then its branches in the order they were
  /// made.
  @usableFromInline
  func end(_ end: End<Failure>) {
    let branches = state.withLock { $0.close() }
    outer.end(end)
    for branch in branches { branch.end(end) }
  }
}
