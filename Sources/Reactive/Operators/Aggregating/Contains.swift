public import TraceFormat

extension Signal {
  /// Sends true as soon as a value passes a test, or false when the source completes, then
  /// completes.
  ///
  /// ```
  /// source                        -1-2-3-|       -1-1-|
  /// contains(where: { $0 > 1 })   ---(t|)        -----(f|)
  /// ```
  ///
  /// The first value that passes ends the source. An earlier failure is forwarded: there is no
  /// answer then. (`any:` of ReactiveCocoa answers false instead; for that, `catch` the failure.)
  ///
  /// - Parameters:
  ///   - isWanted: Runs once per value and subscription, and not again after it has been true.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal of one answer, or a failure.
  @inlinable
  public func contains(
    where isWanted: @escaping @Sendable (Value) -> Bool,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
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
  /// Sends true as soon as a certain value comes, or false when the source completes, then
  /// completes.
  ///
  /// ```
  /// source        -1-2-3-|       -1-3-|
  /// contains(2)   ---(t|)        -----(f|)
  /// ```
  ///
  /// The value ends the source. An earlier failure is forwarded: there is no answer then.
  ///
  /// - Parameters:
  ///   - wanted: Compared with each value.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal of one answer, or a failure.
  @inlinable
  public func contains(
    _ wanted: Value,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<Bool, Failure> {
    Signal<Bool, Failure>(Site("contains", file, line, column, [.bounding, .folds]), .one(self)) {
      [self] down in
      attachDeciding(to: down, otherwise: false) { $0 == wanted ? true : nil }
    }
  }
}
