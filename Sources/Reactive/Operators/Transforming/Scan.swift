extension Signal {
  /// Combines each value with the result so far, and sends each result.
  ///
  /// ```
  /// source       -1-2-3-|
  /// scan(0, +)   -1-3-6-|
  /// ```
  ///
  /// The initial result is not sent; an empty source gives an empty signal.
  ///
  /// - Parameters:
  ///   - initial: The result before the first value, anew for each subscription.
  ///   - combine: Runs once per value and subscription.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal of results, which ends exactly when, and as, this one does.
  /// - Complexity: Retains one result per subscription.
  @inlinable
  public func scan<Result: Sendable>(
    _ initial: Result,
    _ combine: @escaping @Sendable (Result, Value) -> Result,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(direct: Site("scan", file, line, column), .one(self)) {
      [self] scope, trace, next in
      let stage = ScanStage(next, initial, combine)
      attach(in: scope, trace) { stage.receive($0) }
    }
  }
}

/// The closure's only capture, so that it is the closure's context: one allocation instead of two.
///
/// `sum` needs no lock: a sink is entered by one thread at a time (<doc:EventContract>, rule 3).
@usableFromInline
final class ScanStage<Value: Sendable, Result: Sendable>: @unchecked Sendable {
  @usableFromInline let next: @Sendable (Result) -> Void
  @usableFromInline let combine: @Sendable (Result, Value) -> Result
  @exclusivity(unchecked) @usableFromInline var sum: Result

  @inlinable @inline(__always)
  init(
    _ next: @escaping @Sendable (Result) -> Void,
    _ sum: Result,
    _ combine: @escaping @Sendable (Result, Value) -> Result
  ) {
    self.next = next
    self.combine = combine
    self.sum = sum
  }

  @inlinable @inline(__always)
  func receive(_ value: Value) {
    let result = combine(sum, value)
    sum = result
    next(result)
  }
}
