public import TraceFormat

extension Signal {
  /// Leaves out the last `count` values: forwards each value when `count` others have followed it.
  ///
  /// ```
  /// source          -1-2-3-4-|
  /// skip(last: 2)   -----1-2-|
  /// ```
  ///
  /// Only the end of the source shows which values are the last. So `count` values are held, and
  /// each further value causes the oldest one to be forwarded. The held values are dropped when the
  /// source ends, even with a failure.
  ///
  /// - Parameters:
  ///   - count: How many values to leave out; must not be negative. If the source sends no more
  ///     than `count` values, the result is empty.
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  /// - Complexity: Retains up to `count` values per subscription.
  @inlinable
  public func skip(
    last count: Int,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    precondition(
      count >= 0,
      "skip(last: \(count)): the count must be ≥ 0 (OperatorIndex, skip(last:))"
    )
    return Signal(
      Site("skip(last:)", file, line, column, .drops),
      .one(self),
      argument: .integer(count)
    ) {
      [self] down in
      let held = StageState(Held(Fifo<Value>(), for: down.trace))
      attach(
        down.with { [next = down.next] value in
          let due = held.value.change { values in
            values.push(value)
            return values.count > count ? values.pop() : nil
          }
          if let due { next(due) }
        }
      )
    }
  }
}
