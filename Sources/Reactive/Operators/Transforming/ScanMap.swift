public import TraceFormat

extension Signal {
  /// Transforms each value together with a state into the value to send and the next state.
  ///
  /// ```
  /// source                              -3-5-4-|
  /// scanMap(0) { ($1, $1 > $0) }        -t-t-f-|   whether a value is greater than the one before
  /// ```
  ///
  /// - Parameters:
  ///   - initial: The state with which each subscription begins.
  ///   - transform: Returns the next state and the value to send. Runs once per value and
  ///     subscription.
  /// - Returns: A signal that sends one value for each value of this one, and ends exactly when
  ///   this one does, and in the same way.
  /// - Complexity: Retains one state per subscription.
  @inlinable
  public func scanMap<State: Sendable, Result: Sendable>(
    _ initial: State,
    _ transform: @escaping @Sendable (State, Value) -> (State, Result),
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(Site("scanMap", file, line, column, .passes), .one(self)) {
      [self] down in
      let state = StageState(initial)
      attach(
        down.with { [next = down.next] value in
          let (following, result) = transform(state.value, value)
          state.value = following
          next(result)
        }
      )
    }
  }

  /// Transforms each value together with a state, which is changed in place; see
  /// ``scanMap(_:_:file:line:column:)``.
  ///
  /// ```
  /// source                   -3-5-4-|
  /// scanMap(into: []) { … }  -3-4-4-|   the means so far
  /// ```
  ///
  /// - Parameters:
  ///   - initial: The state with which each subscription begins.
  ///   - transform: Changes the state and returns the value to send. Runs once per value and
  ///     subscription.
  ///   - noClosure: Never pass this. Without this parameter, the compiler would report a mistake in
  ///     the closure of `scanMap(_:_:)` as a missing label `into:`.
  /// - Returns: A signal that sends one value for each value of this one, and ends exactly when
  ///   this one does, and in the same way.
  /// - Complexity: Retains one state per subscription.
  @inlinable
  public func scanMap<State: Sendable, Result: Sendable>(
    into initial: State,
    _ transform: @escaping @Sendable (inout State, Value) -> Result,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    noClosure: ((Never) -> Void)? = nil
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(Site("scanMap(into:)", file, line, column, .passes), .one(self)) {
      [self] down in
      let state = StageState(initial)
      attach(down.with { [next = down.next] in next(transform(&state.value, $0)) })
    }
  }
}
