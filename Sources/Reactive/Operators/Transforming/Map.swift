extension Signal {
  /// Applies a function to each value.
  ///
  /// ```
  /// source          -1-2-3-|
  /// map { $0 * 10 } -a-b-c-|   a: 10, b: 20, c: 30
  /// ```
  ///
  /// - Parameters:
  ///   - transform: Runs once per value and subscription.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that ends exactly when, and as, this one does.
  @inlinable
  public func map<Result: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Result,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<Result, Failure> {
    Signal<Result, Failure>(direct: Site("map", file, line, column), .one(self)) {
      [self] scope, trace, next in
      attach(in: scope, trace) { next(transform($0)) }
    }
  }
}
