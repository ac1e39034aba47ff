public import TraceFormat

extension Signal {
  /// Forwards the first `count` values, then completes and ends the source.
  ///
  /// ```
  /// source    -1-2-3-4-|
  /// take(2)   -1-(2|)
  /// ```
  ///
  /// Each value is counted before it is forwarded, so that values that a handler sends re-entrantly
  /// cannot exceed the count. `take(0)` completes without subscribing to the source.
  ///
  /// - Parameters:
  ///   - count: How many values to forward; must not be negative.
  /// - Returns: A signal that ends its source and completes after `count` values, or ends as the
  ///   source does if the source ends first.
  @inlinable
  public func take(
    _ count: Int,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    precondition(count >= 0, "take(\(count)): the count must be ≥ 0 (OperatorIndex, take)")
    return Signal(
      Site("take", file, line, column, [.bounding, .passes]),
      .one(self),
      argument: .integer(count)
    ) {
      [self] down in
      if count == 0 { return down.scope.end(.completed) }
      let upstream = down.part()
      let left = StageState(count)
      attach(
        Sink(upstream, down.trace, down.downstreamGate) { [next = down.next] value in
          left.value -= 1
          if left.value < 0 { return }
          next(value)
          if left.value == 0 { upstream.finish(.completed, upstream: .cancelled) }
        }
      )
    }
  }
}
