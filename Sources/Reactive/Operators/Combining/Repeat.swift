import TraceFormat

extension Signal {
  /// Subscribes again whenever this signal completes, for ever.
  ///
  /// ```
  /// source     -1-|
  /// repeat     -1--1--1--1-…
  /// ```
  ///
  /// A failure is forwarded. A signal that completes at once is subscribed to again without growing
  /// the stack, and keeps the thread busy until the subscription ends, for example because of
  /// `take` or because a handler disposes of it.
  ///
  /// - Returns: A signal that does not complete.
  public func `repeat`(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("repeat", file, line, column, .passes)
    return Signal(site, .one(self), argument: .none) { [self] down in
      ResubscribeStage(self, down, site) { if case .completed = $0 { .resubscribe } else { .end } }
        .start()
    }
  }

  /// Subscribes to this signal a given number of times: first at once, then each time this signal
  /// completes.
  ///
  /// ```
  /// source      -1-|
  /// repeat(3)   -1--1--1-|
  /// ```
  ///
  /// Unlike the count of `retry`, this count includes the first subscription: `repeat(1)` changes
  /// nothing, and `repeat(0)` completes without subscribing.
  ///
  /// - Parameters:
  ///   - count: The total number of subscriptions; must not be negative.
  /// - Returns: A signal that completes when the last subscription completes, and fails when any
  ///   subscription fails.
  public func `repeat`(
    _ count: Int,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    precondition(count >= 0, "repeat(\(count)): the count must be ≥ 0 (OperatorIndex, repeat)")
    let site = Site("repeat", file, line, column, .passes)
    return Signal(site, .one(self), argument: .integer(count)) { [self] down in
      if count == 0 { return down.scope.end(.completed) }
      let left = StageState(count - 1)
      ResubscribeStage(self, down, site) { end in
        guard case .completed = end, left.value > 0 else { return .end }
        left.value -= 1
        return .resubscribe
      }
      .start()
    }
  }
}
