import TraceFormat

extension Signal {
  /// Forwards the last value of each burst, when no other value has come for a given time.
  ///
  /// ```
  /// source          -1-2-3-------4-|
  /// debounce (4)    ---------3-----(4|)
  /// ```
  ///
  /// Completion first forwards the waiting value; a failure overtakes and drops it (event contract,
  /// rule 4). ReactiveCocoa calls this `throttle`.
  ///
  /// - Parameters:
  ///   - interval: A value is forwarded if no other value comes for this long.
  ///   - scheduler: Where the values are forwarded.
  /// - Returns: A signal that ends as this one does; completion comes after the waiting value.
  /// - Complexity: Retains at most one value and one timer.
  public func debounce(
    _ interval: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    timed(
      DebounceState<Value, Failure>(interval),
      on: scheduler,
      Site("debounce", file, line, column, .keepsLatest),
      argument: .duration(interval)
    ) { .waiting($0) }
  }

  /// Debounces the values for which a closure returns true, and forwards the others at once.
  ///
  /// ```
  /// source                        -1-2-A-3-----|
  /// debounce (4), when: a digit   -----A-----3-|
  /// ```
  ///
  /// When a value is forwarded at once, the waiting value is dropped. Completion first forwards the
  /// waiting value; a failure overtakes and drops it (event contract, rule 4).
  ///
  /// - Parameters:
  ///   - interval: A value is forwarded if no other value comes for this long.
  ///   - scheduler: Where waiting values are forwarded; the other values are forwarded on the
  ///     thread that sends them.
  ///   - mustWait: Returns `true` for a value that is to wait. Runs once for each value.
  /// - Returns: A signal that ends as this one does; completion comes after the waiting value.
  /// - Complexity: Retains at most one value and one timer.
  public func debounce(
    _ interval: Duration,
    on scheduler: some Scheduler,
    when mustWait: @escaping @Sendable (Value) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    timed(
      DebounceState<Value, Failure>(interval),
      on: scheduler,
      Site("debounce", file, line, column, .keepsLatest),
      argument: .duration(interval)
    ) { mustWait($0) ? .waiting($0) : .immediate($0) }
  }
}
