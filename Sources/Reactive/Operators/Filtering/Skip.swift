public import TraceFormat

extension Signal {
  /// Leaves out the first `count` values.
  ///
  /// ```
  /// source    -1-2-3-4-|
  /// skip(2)   -----3-4-|
  /// ```
  ///
  /// - Parameters:
  ///   - count: How many values to leave out; must not be negative. If the source sends no more
  ///     than `count` values, the result is empty.
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  @inlinable
  public func skip(
    _ count: Int,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    precondition(count >= 0, "skip(\(count)): the count must be ≥ 0 (OperatorIndex, skip)")
    return Signal(
      Site("skip", file, line, column, [.drops, .dropsFirst]),
      .one(self),
      argument: .integer(count)
    ) { [self] down in
      let left = StageState(count)
      attach(
        down.with { [next = down.next] value in
          if left.value > 0 { left.value -= 1 } else { next(value) }
        }
      )
    }
  }
}
