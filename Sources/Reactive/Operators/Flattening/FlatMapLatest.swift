public import TraceFormat

extension Signal {
  /// Turns each value into a signal and forwards the latest of these signals.
  ///
  /// ```
  /// source          -1------2------|
  /// flatMapLatest   --a-a-a--b-b-b---|   of  -a-a-a---|  and  -b-b-b---|
  /// ```
  ///
  /// For each value, the closure runs first. Then the previous inner signal is disposed of, and
  /// none of its values is delivered any more. Then the new inner signal is subscribed to. A
  /// typical use is a search while the user types. As with `concatMap`, a recursively defined
  /// signal uses no more stack and memory than one level.
  ///
  /// - Parameters:
  ///   - transform: Runs once per value and subscription.
  /// - Returns: A signal that completes when this one and the latest inner signal have completed,
  ///   and fails as soon as one of them fails.
  /// - Complexity: Retains one inner signal.
  @inlinable
  public func flatMapLatest<Inner: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, Failure> {
    Signal<Inner, Failure>(
      Site("flatMapLatest", file, line, column, [.merging, .flattens]),
      .one(self),
      argument: levels(.latest, transform)
    ) {
      [self] down in
      let stage = SwitchStage(down)
      attach(
        Sink(stage.merging.part(), down.trace, stage.merging.outlet) {
          stage.receive(transform($0))
        }
      )
    }
  }

  /// Turns each value into a signal that cannot fail, and forwards the latest of these signals; see
  /// ``flatMapLatest(_:file:line:column:)``.
  @inlinable @_disfavoredOverload
  public func flatMapLatest<Inner: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, Never>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, Failure> {
    Signal<Inner, Failure>(
      Site("flatMapLatest", file, line, column, [.merging, .flattens]),
      .one(self),
      argument: levels(.latest, infallible: transform)
    ) {
      [self] down in
      let stage = SwitchStage(down)
      attach(
        Sink(stage.merging.part(), down.trace, stage.merging.outlet) {
          stage.receive(infallible: transform($0))
        }
      )
    }
  }
}

extension Signal where Failure == Never {
  /// Turns each value into a signal that may fail, and forwards the latest of these signals; see
  /// ``flatMapLatest(_:file:line:column:)``.
  @inlinable @_disfavoredOverload
  public func flatMapLatest<Inner: Sendable, InnerFailure: Error>(
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, InnerFailure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, InnerFailure> {
    Signal<Inner, InnerFailure>(
      Site("flatMapLatest", file, line, column, [.merging, .flattens]),
      .one(self),
      argument: levels(.latest, promoting: transform)
    ) {
      [self] down in
      let stage = SwitchStage(down)
      attach(
        Sink(stage.merging.infalliblePart(), down.trace, stage.merging.outlet) {
          stage.receive(transform($0))
        }
      )
    }
  }
}
