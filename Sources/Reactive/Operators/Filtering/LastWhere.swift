public import TraceFormat

extension Signal {
  /// Forwards the last value for which a test is true, when the source completes.
  ///
  /// ```
  /// source                     -1-2-3-4-|
  /// last(where: { $0 < 3 })    ---------(2|)
  /// ```
  ///
  /// If no value passes the test, the result is empty. A failure is forwarded at once, without the
  /// held value (event contract, rule 4). For the last value without a test, use
  /// ``take(last:file:line:column:)`` with 1.
  ///
  /// - Parameters:
  ///   - isWanted: Runs once per value and subscription.
  /// - Returns: A signal of at most one value that ends when this one does, and in the same way.
  /// - Complexity: Retains one value per subscription.
  @inlinable
  public func last(
    where isWanted: @escaping @Sendable (Value) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("last(where:)", file, line, column, [.drops, .sendsAtEnd]), .one(self)) {
      [self] down in
      attachFolding(to: down, from: Value?.none) { last, value in
        if isWanted(value) { last = value }
      } result: {
        $0
      }
    }
  }
}
