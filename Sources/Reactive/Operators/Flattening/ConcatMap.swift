import TraceFormat

extension Signal {
  /// Turns each value into a signal and forwards these signals one after another, in the order of
  /// the values.
  ///
  /// ```
  /// source      -1-2-------|
  /// concatMap   --a-a--b-b-|   of  -a-a-|  and  -b-b-|
  /// ```
  ///
  /// The closure runs when the value arrives; the signal that it returns waits until all earlier
  /// signals have completed. An inner signal that is itself a `concatMap`, `flatMapLatest`,
  /// `flatMapFirst`, `concat`, `append` or `then` runs as part of the outer `concatMap`. So if the
  /// signal for each page of a result continues with the signal for the next page, any number of
  /// pages uses no more stack and memory than one page.
  ///
  /// - Parameters:
  ///   - transform: Runs once per value and subscription.
  /// - Returns: A signal that completes when this one and all inner signals have completed, and
  ///   fails as soon as one of them fails.
  /// - Complexity: Retains the waiting signals, however many there are.
  public func concatMap<Inner: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, Failure> {
    Signal<Inner, Failure>(
      Site("concatMap", file, line, column, [.merging, .flattens, .queuesInner]),
      .one(self),
      argument: levels(.inTurn, transform)
    ) {
      [self] down in
      let stage = FlattenStage(down, limit: 1)
      attach(
        Sink(stage.merging.part(), down.trace, stage.merging.outlet) {
          stage.receive(transform($0))
        }
      )
    }
  }

  /// Turns each value into a signal that cannot fail, and forwards these signals one after another;
  /// see ``concatMap(_:file:line:column:)``.
  @_disfavoredOverload
  public func concatMap<Inner: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, Never>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, Failure> {
    Signal<Inner, Failure>(
      Site("concatMap", file, line, column, [.merging, .flattens, .queuesInner]),
      .one(self),
      argument: levels(.inTurn, infallible: transform)
    ) {
      [self] down in
      let stage = FlattenStage(down, limit: 1)
      attach(
        Sink(stage.merging.part(), down.trace, stage.merging.outlet) {
          stage.receive(infallible: transform($0))
        }
      )
    }
  }
}

extension Signal where Failure == Never {
  /// Turns each value into a signal that may fail, and forwards these signals one after another;
  /// see ``concatMap(_:file:line:column:)``.
  @_disfavoredOverload
  public func concatMap<Inner: Sendable, InnerFailure: Error>(
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, InnerFailure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, InnerFailure> {
    Signal<Inner, InnerFailure>(
      Site("concatMap", file, line, column, [.merging, .flattens, .queuesInner]),
      .one(self),
      argument: levels(.inTurn, promoting: transform)
    ) {
      [self] down in
      let stage = FlattenStage(down, limit: 1)
      attach(
        Sink(stage.merging.infalliblePart(), down.trace, stage.merging.outlet) {
          stage.receive(transform($0))
        }
      )
    }
  }
}
