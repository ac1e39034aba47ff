import TraceFormat

extension Signal {
  /// Forwards the values of this signal and, once this signal has completed, the values of another.
  ///
  /// ```
  /// source         -1-2-|
  /// other               -3-|
  /// concat(other)  -1-2--3-|
  /// ```
  ///
  /// The other signal is subscribed to only when this one has completed, so never if this one
  /// fails. The stack use is bounded, however deeply calls of `concat` are nested.
  ///
  /// - Parameters:
  ///   - other: Subscribed to when this signal has completed.
  /// - Returns: A signal that completes when the other does, and fails when either does.
  public func concat(
    _ other: Signal,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(
      Site("concat", file, line, column, [.merging, .passes, .queuesInner, .partners]),
      .many([self, other]),
      argument: .following(Descending<Value, Failure>(.signal(self), .signal(other)))
    ) { [self] down in
      attach(down, then: { other })
    }
  }

  /// Subscribes to the signals that this signal sends, one at a time and in the order in which they
  /// arrive, and forwards their values.
  ///
  /// - Returns: A signal that completes when this one and all signals that it sent have completed,
  ///   and fails when any of them fails.
  /// - Complexity: Retains the waiting signals, however many there are.
  public func concat<Inner: Sendable>(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
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
