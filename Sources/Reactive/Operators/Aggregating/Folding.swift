extension Signal {
  /// Folds all values into a state, and sends what that says when the source completes: how operators
  /// aggregate.
  ///
  /// They still owe a value at completion, so that the source has a scope of its own (contract rule 6).
  /// A failure, and a source that is gone, drop the state.
  ///
  /// - Parameters:
  ///   - down: Gets the result.
  ///   - initial: The state before the first value, anew for each subscription.
  ///   - fold: Runs once per value.
  ///   - result: Runs at completion; where it returns nil, none is sent.
  @inlinable
  func attachFolding<State: Sendable, Result: Sendable>(
    to down: Sink<Result, Failure>,
    from initial: State,
    by fold: @escaping @Sendable (inout State, Value) -> Void,
    result: @escaping @Sendable (State) -> Result?
  ) {
    let state = StageState(initial)
    let upstream = UpstreamScope<Failure>(in: down.scope) { end in
      if case .completed = end {
        let last = state.value
        state.value = initial
        if let result = result(last) { down.next(result) }
      }
      down.scope.end(end)
    }
    attach(Sink(upstream, down.trace, down.below) { fold(&state.value, $0) })
  }
}
