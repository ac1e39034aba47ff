public import TraceFormat

extension Signal {
  /// Forwards the values whose positions lie in a range, then completes and ends the source.
  ///
  /// ```
  /// source             -1-2-3-4-|
  /// output(in: 1...2)  ---2-(3|)
  /// output(in: 2...)   -----3-4-|
  /// ```
  ///
  /// Positions count from 0. The last position of the range completes the result, without waiting
  /// for further values; a range without an upper bound ends with the source. An empty range
  /// completes without subscribing to the source, as `take(0)` does.
  ///
  /// - Parameters:
  ///   - positions: A range of any form; must not begin below 0.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that completes by itself, and ends its source when it does.
  @inlinable
  public func output(
    in positions: some RangeExpression<Int>,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    let range = positionRange(positions)
    precondition(
      range.lowerBound >= 0,
      "output(in: \(range.lowerBound)..): positions must be ≥ 0 (OperatorIndex, output(in:))"
    )
    return Signal(Site("output(in:)", file, line, column, [.bounding, .drops]), .one(self)) {
      [self] down in
      if range.isEmpty { return down.scope.end(.completed) }
      let upstream = down.part()
      let position = StageState(0)
      attach(
        Sink(upstream, down.trace, down.downstreamGate) { [next = down.next] value in
          let current = position.value
          position.value = current + 1
          guard range.contains(current) else { return }
          next(value)
          if current + 1 == range.upperBound { upstream.finish(.completed, upstream: .cancelled) }
        }
      )
    }
  }
}

/// The positions of a range of any form, without those that no value can reach.
@usableFromInline
func positionRange(_ positions: some RangeExpression<Int>) -> Range<Int> {
  // The end after the last of these positions cannot be represented.
  if let closed = positions as? ClosedRange<Int>, closed.upperBound == .max {
    return closed.lowerBound..<Int.max
  }
  if let closed = positions as? PartialRangeThrough<Int>, closed.upperBound == .max {
    return 0..<Int.max
  }
  return positions.relative(to: 0..<Int.max)
}
