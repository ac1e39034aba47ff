public import TraceFormat

extension Signal {
  /// Sends false as soon as a value fails a test, or true when the source completes, then
  /// completes.
  ///
  /// ```
  /// source                    -1-2-3-|       -1-1-|
  /// allSatisfy { $0 < 2 }     ---(f|)        -----(t|)
  /// ```
  ///
  /// The first value that fails the test ends the source; an empty source gives true. A failure of
  /// the source is forwarded: there is no answer then. (`all:` of ReactiveCocoa answers false
  /// instead; for that, `catch` the failure.)
  ///
  /// - Parameters:
  ///   - isSatisfied: Runs once per value and subscription, and not again after it has been false.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal of one answer, or a failure.
  @inlinable
  public func allSatisfy(
    _ isSatisfied: @escaping @Sendable (Value) -> Bool,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<Bool, Failure> {
    Signal<Bool, Failure>(Site("allSatisfy", file, line, column, [.bounding, .folds]), .one(self)) {
      [self] down in
      attachDeciding(to: down, otherwise: true) { isSatisfied($0) ? nil : false }
    }
  }
}
