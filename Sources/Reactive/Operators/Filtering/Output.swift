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
  /// Positions count from 0. The result completes directly after the value at the last position of
  /// the range; if the range has no upper bound, the result ends with the source. If the range is
  /// empty, the result completes without subscribing to the source.
  ///
  /// - Parameters:
  ///   - positions: A range of any kind; must not begin below 0.
  /// - Returns: A signal that ends its source and completes at the end of the range, or ends as the
  ///   source does if the source ends first.
  @inlinable
  public func output(
    in positions: some RangeExpression<Int>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
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

/// Converts a range of any kind to a half-open range, leaving out `Int.max`, a position that no
/// value can reach.
@usableFromInline
func positionRange(_ positions: some RangeExpression<Int>) -> Range<Int> {
  // A half-open range cannot contain `Int.max`: its upper bound would be `Int.max + 1`.
  if let closed = positions as? ClosedRange<Int>, closed.upperBound == .max {
    return closed.lowerBound..<Int.max
  }
  if let closed = positions as? PartialRangeThrough<Int>, closed.upperBound == .max {
    return 0..<Int.max
  }
  return positions.relative(to: 0..<Int.max)
}
