extension Signal {
  /// Forwards the values for which a test is true.
  ///
  /// ```
  /// source               -1-2-3-4-|
  /// filter { $0 > 2 }    -----3-4-|
  /// ```
  ///
  /// - Parameters:
  ///   - isIncluded: Runs once per value and subscription.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that ends exactly when, and as, this one does.
  @inlinable
  public func filter(
    _ isIncluded: @escaping @Sendable (Value) -> Bool,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(direct: Site("filter", file, line, column), .one(self)) { [self] scope, trace, next in
      attach(in: scope, trace) { if isIncluded($0) { next($0) } }
    }
  }
}
