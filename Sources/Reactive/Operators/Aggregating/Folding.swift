extension Signal {
  /// Folds all values into a state, and sends a result made from the last state when the source
  /// completes.
  ///
  /// The result is sent after the source has ended, so the source has a separate scope, which is
  /// the object that ends a subscription (event contract, rule 6). If the source fails or can no
  /// longer send, no result is sent.
  ///
  /// - Parameters:
  ///   - down: Receives the result.
  ///   - initial: The state before the first value.
  ///   - fold: Runs once per value.
  ///   - result: Runs at completion; if it returns nil, no value is sent.
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
    attach(Sink(upstream, down.trace, down.downstreamGate) { fold(&state.value, $0) })
  }
}
