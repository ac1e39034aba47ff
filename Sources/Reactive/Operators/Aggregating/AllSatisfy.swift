public import TraceFormat

extension Signal {
  /// Sends false as soon as a value fails a test, or true if the source completes first, and then
  /// completes.
  ///
  /// ```
  /// source                    -1-2-3-|       -1-1-|
  /// allSatisfy { $0 < 2 }     ---(f|)        -----(t|)
  /// ```
  ///
  /// The first value that fails the test cancels the subscription to the source. If the source is
  /// empty, the answer is true. A failure of the source is forwarded, without an answer.
  /// (ReactiveCocoa's `all:` sends false instead; to get the same, add
  /// `replaceFailure(with: false)`.)
  ///
  /// - Parameters:
  ///   - isSatisfied: The test; runs once per value and subscription, until it returns false.
  /// - Returns: A signal that sends the answer and completes, or fails.
  @inlinable
  public func allSatisfy(
    _ isSatisfied: @escaping @Sendable (Value) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Bool, Failure> {
    Signal<Bool, Failure>(Site("allSatisfy", file, line, column, [.bounding, .folds]), .one(self)) {
      [self] down in
      attachDeciding(to: down, otherwise: true) { isSatisfied($0) ? nil : false }
    }
  }
}
