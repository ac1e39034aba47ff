public import TraceFormat

extension Signal {
  /// Sends each value together with the previous value.
  ///
  /// ```
  /// source             -1-2-3-|
  /// combinePrevious    ---x-y-|   x: (1, 2), y: (2, 3)
  /// ```
  ///
  /// No pair is sent for the first value, because it has no previous value. Other libraries call
  /// this `pairwise`.
  ///
  /// - Returns: A signal of pairs, one fewer than there are values, which ends exactly when this
  ///   one does, and in the same way.
  /// - Complexity: Retains one value per subscription.
  @inlinable
  public func combinePrevious(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<(previous: Value, current: Value), Failure> {
    Signal<(previous: Value, current: Value), Failure>(
      Site("combinePrevious", file, line, column, .passes),
      .one(self),
      argument: .none
    ) { [self] in attachCombiningPrevious(to: $0, after: nil) }
  }

  /// Sends each value together with the previous value, and the first value together with a given
  /// value.
  ///
  /// ```
  /// source                -1-2-3-|
  /// combinePrevious(0)    -x-y-z-|   x: (0, 1), y: (1, 2), z: (2, 3)
  /// ```
  ///
  /// - Parameters:
  ///   - first: The value that is sent together with the first value of each subscription.
  /// - Returns: A signal of pairs, as many as there are values, which ends exactly when this one
  ///   does, and in the same way.
  /// - Complexity: Retains one value per subscription.
  @inlinable
  public func combinePrevious(
    _ first: Value,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<(previous: Value, current: Value), Failure> {
    Signal<(previous: Value, current: Value), Failure>(
      Site("combinePrevious", file, line, column, .passes),
      .one(self)
    ) { [self] in attachCombiningPrevious(to: $0, after: first) }
  }

  @inlinable
  func attachCombiningPrevious(
    to down: Sink<(previous: Value, current: Value), Failure>,
    after first: Value?
  ) {
    let last = StageState(first)
    attach(
      down.with { [next = down.next] value in
        // The value is stored before the pair is sent, because handling the pair may send another
        // value.
        let previous = last.value
        last.value = value
        if let previous { next((previous, value)) }
      }
    )
  }
}
