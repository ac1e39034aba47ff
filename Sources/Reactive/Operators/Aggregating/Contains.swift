public import TraceFormat

extension Signal {
  /// Sends true as soon as a value passes a test, or false if the source completes first, and then
  /// completes.
  ///
  /// ```
  /// source                        -1-2-3-|       -1-1-|
  /// contains(where: { $0 > 1 })   ---(t|)        -----(f|)
  /// ```
  ///
  /// The first value that passes the test cancels the subscription to the source. If the source
  /// fails before that, the failure is forwarded, without an answer. (ReactiveCocoa's `any:` sends
  /// false instead; to get the same, add `replaceFailure(with: false)`.)
  ///
  /// - Parameters:
  ///   - isWanted: The test; runs once per value and subscription, until it returns true.
  /// - Returns: A signal that sends the answer and completes, or fails.
  @inlinable
  public func contains(
    where isWanted: @escaping @Sendable (Value) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Bool, Failure> {
    Signal<Bool, Failure>(
      Site("contains(where:)", file, line, column, [.bounding, .folds]),
      .one(self)
    ) {
      [self] down in
      attachDeciding(to: down, otherwise: false) { isWanted($0) ? true : nil }
    }
  }
}

extension Signal where Value: Equatable {
  /// Sends true as soon as the source sends a given value, or false if the source completes first,
  /// and then completes.
  ///
  /// ```
  /// source        -1-2-3-|       -1-3-|
  /// contains(2)   ---(t|)        -----(f|)
  /// ```
  ///
  /// The first value that is equal to it cancels the subscription to the source. If the source
  /// fails before that, the failure is forwarded, without an answer.
  ///
  /// - Parameters:
  ///   - wanted: The value to look for; compared with each value until one is equal.
  /// - Returns: A signal that sends the answer and completes, or fails.
  @inlinable
  public func contains(
    _ wanted: Value,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Bool, Failure> {
    Signal<Bool, Failure>(Site("contains", file, line, column, [.bounding, .folds]), .one(self)) {
      [self] down in
      attachDeciding(to: down, otherwise: false) { $0 == wanted ? true : nil }
    }
  }
}
