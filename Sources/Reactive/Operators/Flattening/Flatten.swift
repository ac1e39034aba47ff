public import TraceFormat

extension Signal {
  /// Subscribes to every signal that this signal sends, and forwards their values as they arrive.
  ///
  /// `flatMap` describes when the result ends, and how long inner signals are retained.
  @inlinable
  public func flatten<Inner: Sendable>(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, Failure> where Value == Signal<Inner, Failure> {
    Signal<Inner, Failure>(
      Site("flatten", file, line, column, [.merging, .flattens]),
      .one(self),
      argument: .none
    ) { [self] down in
      let merging = Merging(down)
      attach(Sink(merging.part(), down.trace, merging.outlet) { merging.subscribe(to: $0) })
    }
  }

  /// Subscribes to the signals that this signal sends, at most `limit` at a time, and forwards
  /// their values; the others wait in the order in which they arrived.
  ///
  /// - Parameters:
  ///   - limit: How many signals may run at a time; must be at least 1.
  /// - Returns: A signal that completes when this one and all inner signals have completed, and
  ///   fails as soon as one of them fails.
  /// - Complexity: Retains the waiting signals, however many there are.
  public func flatten<Inner: Sendable>(
    limit: Int,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, Failure> where Value == Signal<Inner, Failure> {
    precondition(
      limit >= 1,
      "flatten(limit: \(limit)): the limit must be ≥ 1 (OperatorIndex, flatten)"
    )
    return Signal<Inner, Failure>(
      Site("flatten(limit:)", file, line, column, [.merging, .flattens, .queuesInner]),
      .one(self),
      argument: .integer(limit)
    ) { [self] down in
      let queue = FlattenStage(down, limit: limit)
      attach(Sink(queue.merging.part(), down.trace, queue.merging.outlet) { queue.receive($0) })
    }
  }
}
