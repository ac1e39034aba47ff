public import TraceFormat

extension Signal {
  /// Changes a result in place with each value, and sends the result each time.
  ///
  /// ```
  /// source                                 -1-2-3-|
  /// scan(into: []) { $0.append($1) }       -x-y-z-|   x: [1], y: [1, 2], z: [1, 2, 3]
  /// ```
  ///
  /// The initial result is not sent; an empty source gives an empty signal. If a subscriber keeps a
  /// collection that it received, the next change copies that collection.
  ///
  /// - Parameters:
  ///   - initial: The result that the first value of each subscription changes.
  ///   - update: Runs once per value and subscription.
  ///   - noClosure: Never pass this. Without this parameter, the compiler would report a mistake in
  ///     the closure of `scan(_:_:)` as a missing label `into:`.
  /// - Returns: A signal of results, which ends exactly when this one does, and in the same way.
  /// - Complexity: Retains one result per subscription.
  @inlinable
  public func scan<Result: Sendable>(
    into initial: Result,
    _ update: @escaping @Sendable (inout Result, Value) -> Void,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    noClosure: ((Never) -> Void)? = nil
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(Site("scan(into:)", file, line, column, .passes), .one(self)) {
      [self] down in
      let sum = StageState(initial)
      attach(
        down.with { [next = down.next] value in
          update(&sum.value, value)
          next(sum.value)
        }
      )
    }
  }
}
