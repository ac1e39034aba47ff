public import TraceFormat

extension Signal {
  /// Sends false as soon as the source sends a value, or true if it completes without one, and then
  /// completes.
  ///
  /// ```
  /// source      -1-2-|    --|
  /// isEmpty()   -(f|)     --(t|)
  /// ```
  ///
  /// The first value cancels the subscription to the source. If the source fails without a value,
  /// the failure is forwarded, without an answer. (ReactiveCocoa's `any`, which answers the
  /// opposite question, sends false in that case; to get the same, add
  /// `replaceFailure(with: true)`.)
  ///
  /// - Returns: A signal that sends the answer and completes, or fails.
  @inlinable
  public func isEmpty(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
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
