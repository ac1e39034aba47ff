public import TraceFormat

extension Signal {
  /// Collects values into lists of `count` values each.
  ///
  /// ```
  /// source                      -1-2-3-4-5-|
  /// buffer(count: 2)            ---a---b---(c|)   a: [1, 2], b: [3, 4], c: [5]
  /// buffer(count: 3, skip: 2)   -----a---b-(c|)   a: [1, 2, 3], b: [3, 4, 5], c: [5]
  /// ```
  ///
  /// When the source completes, the lists that have begun but are not full are sent first, in
  /// order. They are dropped if the source fails (event contract, rule 4) or can no longer send.
  ///
  /// - Parameters:
  ///   - count: The number of values in a list; must be at least 1.
  ///   - skip: The distance between the first value of one list and the first value of the next; by
  ///     default `count`. If it is smaller than `count`, the lists overlap; if it is larger, the
  ///     values in between are left out. Must be at least 1.
  /// - Returns: A signal of lists, none of them empty, which ends exactly when this one does, and
  ///   in the same way.
  /// - Complexity: Retains up to `count` values per subscription.
  @inlinable
  public func buffer(
    count: Int,
    skip: Int? = nil,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<[Value], Failure> {
    let skip = skip ?? count
    precondition(
      count >= 1 && skip >= 1,
      "buffer(count: \(count), skip: \(skip)): both must be ≥ 1 (OperatorIndex, buffer(count:))"
    )
    return Signal<[Value], Failure>(
      Site("buffer(count:)", file, line, column, .folds),
      .one(self),
      argument: skip == count ? .integer(count) : .written { "\(count), skip: \(skip)" }
    ) { [self] in attachBuffering(to: $0, count, skip) }
  }

  /// Collects values into lists of `count` values each.
  ///
  /// ```
  /// source              -1-2-3-4-5-|
  /// collect(count: 2)   ---a---b---(c|)   a: [1, 2], b: [3, 4], c: [5]
  /// ```
  ///
  /// This operator is the same as ``buffer(count:skip:file:line:column:)`` without `skip`, named
  /// like the other forms of `collect`.
  ///
  /// - Parameters:
  ///   - count: The number of values in a list; must be at least 1.
  /// - Returns: A signal of lists, none of them empty, which ends exactly when this one does, and
  ///   in the same way.
  /// - Complexity: Retains up to `count` values per subscription.
  @inlinable
  public func collect(
    count: Int,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<[Value], Failure> {
    precondition(
      count >= 1,
      "collect(count: \(count)): the count must be ≥ 1 (OperatorIndex, collect(count:))"
    )
    return Signal<[Value], Failure>(
      Site("collect(count:)", file, line, column, .folds),
      .one(self),
      argument: .integer(count)
    ) { [self] in attachBuffering(to: $0, count, count) }
  }

  @inlinable
  func attachBuffering(to down: Sink<[Value], Failure>, _ count: Int, _ skip: Int) {
    let gap = StageState(0)
    attachCollecting(
      to: down,
      rest: { left in stride(from: 0, to: left.count, by: skip).map { Array(left[$0...]) } }
    ) { held, value in
      if gap.value > 0 {
        gap.value -= 1
        return nil
      }
      held.append(value)
      if held.count < count { return nil }
      let list = held
      if skip < count {
        held.removeFirst(skip)
      } else {
        held = []
        gap.value = skip - count
      }
      return list
    }
  }
}
