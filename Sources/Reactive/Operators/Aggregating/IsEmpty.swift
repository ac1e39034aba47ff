public import TraceFormat

extension Signal {
  /// Sends false as soon as a value comes, or true when the source completes without one, then
  /// completes.
  ///
  /// ```
  /// source      -1-2-|    --|
  /// isEmpty()   -(f|)     --(t|)
  /// ```
  ///
  /// The first value ends the source. An earlier failure is forwarded: there is no answer then.
  /// (`any` of ReactiveCocoa, which answers the opposite question, sends false instead; for that,
  /// `catch` the failure.)
  ///
  /// - Parameters:
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal of one answer, or a failure.
  @inlinable
  public func isEmpty(
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<Bool, Failure> {
    Signal<Bool, Failure>(
      Site("isEmpty", file, line, column, [.bounding, .folds]),
      .one(self),
      argument: .none
    ) { [self] down in
      attachDeciding(to: down, otherwise: true) { _ in false }
    }
  }
}
