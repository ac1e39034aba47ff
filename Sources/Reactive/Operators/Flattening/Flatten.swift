public import TraceFormat

extension Signal {
  /// Forwards the values of the signals that this signal sends, all at the same time.
  ///
  /// For the end and for what is retained see `flatMap`.
  @inlinable
  public func flatten<Inner: Sendable>(
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
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

  /// Forwards the values of the signals that this signal sends, at most `limit` of them at a time;
  /// the others wait in the order in which they came.
  ///
  /// - Parameters:
  ///   - limit: At least 1.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that ends when this one and all inner signals have.
  /// - Complexity: Retains the signals that wait, without a bound.
  public func flatten<Inner: Sendable>(
    limit: Int,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
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
