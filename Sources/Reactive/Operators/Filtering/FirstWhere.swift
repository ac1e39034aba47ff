public import TraceFormat

extension Signal {
  /// Forwards the first value for which a test is true, then completes and ends the source.
  ///
  /// ```
  /// source                      -1-2-3-4-|
  /// first(where: { $0 > 2 })    -----(3|)
  /// ```
  ///
  /// If no value passes the test, the result is empty and ends as the source does; see
  /// ``failIfEmpty(_:file:line:column:)``. For the first value without a test, use
  /// ``take(_:file:line:column:)`` with 1.
  ///
  /// - Parameters:
  ///   - isWanted: Runs once per value and subscription, until it returns true.
  /// - Returns: A signal of at most one value, which ends its source when it sends that value.
  @inlinable
  public func first(
    where isWanted: @escaping @Sendable (Value) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("first(where:)", file, line, column, [.bounding, .drops]), .one(self)) {
      [self] down in
      attachDeciding(to: down, otherwise: nil) { isWanted($0) ? $0 : nil }
    }
  }

  /// Sends the position of the first value for which a test is true, then completes and ends the
  /// source.
  ///
  /// ```
  /// source                           -1-2-3-4-|
  /// firstIndex(where: { $0 > 2 })    -----(2|)
  /// ```
  ///
  /// Positions count from 0. If no value passes the test, the result is empty and ends as the
  /// source does.
  ///
  /// - Parameters:
  ///   - isWanted: Runs once per value and subscription, until it returns true.
  /// - Returns: A signal of at most one number, which ends its source when it sends that number.
  @inlinable
  public func firstIndex(
    where isWanted: @escaping @Sendable (Value) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Int, Failure> {
    Signal<Int, Failure>(
      Site("firstIndex(where:)", file, line, column, [.bounding, .folds]),
      .one(self)
    ) {
      [self] down in
      let index = StageState(0)
      attachDeciding(to: down, otherwise: nil) { value in
        if isWanted(value) { return index.value }
        index.value += 1
        return nil
      }
    }
  }
}
