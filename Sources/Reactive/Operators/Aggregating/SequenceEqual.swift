public import TraceFormat

extension Signal {
  /// Sends whether this signal and another send the same values in the same order, then completes.
  ///
  /// ```
  /// source               -1-2---|       -1-2-3-|
  /// other                ---1-2-|       -1-5---|
  /// sequenceEqual(…)     -------(t|)    ---(f|)
  /// ```
  ///
  /// The times at which values arrive do not matter. False is sent as soon as two values at the
  /// same position differ, or one signal has completed and the other has sent more values; then the
  /// subscriptions to both end. True is sent when both have completed with equal values. A failure
  /// of either is forwarded at once, even if values are waiting to be compared (event contract,
  /// rule 4). If a signal can no longer send (event contract, rule 11) and all its values have been
  /// compared, there can be no answer, and the result ends without an event.
  ///
  /// If this signal sends all its values while it is being subscribed to, it must not be endless,
  /// because the other signal is subscribed to only afterwards.
  ///
  /// - Parameters:
  ///   - other: The signal to compare with; subscribed to after this one.
  ///   - areEquivalent: Returns true if a value of this signal equals a value of the other; runs at
  ///     most once per pair.
  /// - Returns: A signal that sends the answer and completes, or fails.
  /// - Complexity: Retains the values of one signal for which the other has not sent a counterpart
  ///   yet, without a bound.
  @inlinable
  public func sequenceEqual<Other: Sendable>(
    _ other: Signal<Other, Failure>,
    by areEquivalent: @escaping @Sendable (Value, Other) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Bool, Failure> {
    Signal<Bool, Failure>(
      Site("sequenceEqual", file, line, column, [.bounding, .folds, .partners]),
      .many([self, other]),
      argument: .none
    ) { [self] down in
      EqualityStage.start(self, other, areEquivalent, down)
    }
  }
}

extension Signal where Value: Equatable {
  /// Sends whether this signal and another send equal values in the same order; see
  /// ``sequenceEqual(_:by:file:line:column:)``.
  @inlinable
  public func sequenceEqual(
    _ other: Signal,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Bool, Failure> {
    sequenceEqual(other, by: { $0 == $1 }, file: file, line: line, column: column)
  }
}
