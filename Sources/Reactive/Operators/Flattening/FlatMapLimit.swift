import TraceFormat

extension Signal {
  /// Turns each value into a signal, and forwards the values of these signals, at most `limit` of
  /// which run at a time.
  ///
  /// ```
  /// source             (123)-----|
  /// flatMap(limit: 2)  --(ab)--c|   of  --x|  for each
  /// ```
  ///
  /// Further signals wait in the order in which their values arrived. The closure runs when the
  /// value arrives, even if the signal that it returns has to wait.
  ///
  /// - Parameters:
  ///   - limit: How many signals may run at a time; must be at least 1.
  ///   - transform: Runs once per value and subscription.
  /// - Returns: A signal that completes when this one and all inner signals have completed, and
  ///   fails as soon as one of them fails.
  /// - Complexity: Retains the waiting signals, however many there are.
  public func flatMap<Inner: Sendable>(
    limit: Int,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, Failure>
  ) -> Signal<Inner, Failure> {
    precondition(
      limit >= 1,
      "flatMap(limit: \(limit)): the limit must be ≥ 1 (OperatorIndex, flatMap(limit:))"
    )
    return Signal<Inner, Failure>(
      Site("flatMap(limit:)", file, line, column, [.merging, .flattens, .queuesInner]),
      .one(self),
      argument: .integer(limit)
    ) { [self] down in
      let stage = FlattenStage(down, limit: limit)
      attach(
        Sink(stage.merging.part(), down.trace, stage.merging.outlet) {
          stage.receive(transform($0))
        }
      )
    }
  }

  /// Turns each value into a signal that cannot fail, and runs at most `limit` of these signals at
  /// a time; see ``flatMap(limit:file:line:column:_:)``.
  @_disfavoredOverload
  public func flatMap<Inner: Sendable>(
    limit: Int,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, Never>
  ) -> Signal<Inner, Failure> {
    precondition(
      limit >= 1,
      "flatMap(limit: \(limit)): the limit must be ≥ 1 (OperatorIndex, flatMap(limit:))"
    )
    return Signal<Inner, Failure>(
      Site("flatMap(limit:)", file, line, column, [.merging, .flattens, .queuesInner]),
      .one(self),
      argument: .integer(limit)
    ) { [self] down in
      let stage = FlattenStage(down, limit: limit)
      attach(
        Sink(stage.merging.part(), down.trace, stage.merging.outlet) {
          stage.receive(infallible: transform($0))
        }
      )
    }
  }
}

extension Signal where Failure == Never {
  /// Turns each value into a signal that may fail, and runs at most `limit` of these signals at a
  /// time; see ``flatMap(limit:file:line:column:_:)``.
  @_disfavoredOverload
  public func flatMap<Inner: Sendable, InnerFailure: Error>(
    limit: Int,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, InnerFailure>
  ) -> Signal<Inner, InnerFailure> {
    precondition(
      limit >= 1,
      "flatMap(limit: \(limit)): the limit must be ≥ 1 (OperatorIndex, flatMap(limit:))"
    )
    return Signal<Inner, InnerFailure>(
      Site("flatMap(limit:)", file, line, column, [.merging, .flattens, .queuesInner]),
      .one(self),
      argument: .integer(limit)
    ) { [self] down in
      let stage = FlattenStage(down, limit: limit)
      attach(
        Sink(stage.merging.infalliblePart(), down.trace, stage.merging.outlet) {
          stage.receive(transform($0))
        }
      )
    }
  }
}
