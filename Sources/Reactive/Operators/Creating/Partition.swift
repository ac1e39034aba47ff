public import TraceFormat

extension Signal {
  /// Splits this signal into two: one with the values that pass a test, and one with all other
  /// values.
  ///
  /// ```
  /// source     -1-2-3-|
  /// matching   ---2---|   for even numbers
  /// others     -1---3-|
  /// ```
  ///
  /// Each of the two signals subscribes to this signal separately (event contract, rule 5), so if
  /// both are subscribed to, the source does its work twice, and the test runs twice per value. To
  /// have the source do its work only once, share it first.
  ///
  /// - Parameters:
  ///   - isIncluded: Runs once per value and subscription.
  /// - Returns: Both signals; they end exactly when this one does, and in the same way.
  @inlinable
  public func partition(
    _ isIncluded: @escaping @Sendable (Value) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> (matching: Signal, others: Signal) {
    let site = Site("partition", file, line, column, .drops)
    return (
      Signal(site, .one(self)) { [self] down in
        attach(down.with { [next = down.next] in if isIncluded($0) { next($0) } })
      },
      Signal(site, .one(self)) { [self] down in
        attach(down.with { [next = down.next] in if !isIncluded($0) { next($0) } })
      }
    )
  }
}
