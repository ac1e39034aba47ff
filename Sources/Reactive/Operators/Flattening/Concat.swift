import TraceFormat

extension Signal {
  /// Forwards this signal, and when it has completed, another.
  ///
  /// ```
  /// source         -1-2-|
  /// other               -3-|
  /// concat(other)  -1-2--3-|
  /// ```
  ///
  /// The other is not subscribed to before, and never if this one fails. Chains of `concat`, on
  /// either side, use no additional stack per operator.
  ///
  /// - Parameters:
  ///   - other: Subscribed to after completion.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that ends when the last of the signals has.
  public func concat(
    _ other: Signal,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(
      Site("concat", file, line, column, [.merging, .passes, .queuesInner, .partners]),
      .many([self, other]),
      argument: .following(Descending<Value, Failure>(.signal(self), .signal(other)))
    ) { [self] down in
      attach(down, then: { other })
    }
  }

  /// Forwards the signals that this signal sends one after another, in the order they came.
  ///
  /// - Parameters:
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that ends when the last of the signals has.
  /// - Complexity: Retains the signals that wait, without a bound.
  public func concat<Inner: Sendable>(
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<Inner, Failure> where Value == Signal<Inner, Failure> {
    Signal<Inner, Failure>(
      Site("concat", file, line, column, [.merging, .passes, .queuesInner, .partners]),
      .one(self),
      argument: .following(Descending<Inner, Failure>(.inTurn, of: self) { .signal($0) })
    ) { [self] down in
      let queue = FlattenStage(down, limit: 1)
      attach(Sink(queue.merging.part(), down.trace, queue.merging.outlet) { queue.receive($0) })
    }
  }
}
