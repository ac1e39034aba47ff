public import TraceFormat

extension Signal {
  /// Subscribes again when this signal fails, up to a given number of times; then forwards the
  /// failure.
  ///
  /// ```
  /// source     -1-#
  /// retry(1)   -1--1-#
  /// ```
  ///
  /// A signal that fails at once is subscribed to again without growing the stack.
  ///
  /// - Parameters:
  ///   - extraTries: The maximum number of further subscriptions; must not be negative.
  /// - Returns: A signal that fails only when the last try does.
  @inlinable
  public func retry(
    _ extraTries: Int,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    precondition(
      extraTries >= 0,
      "retry(\(extraTries)): the number of tries must be ≥ 0 (OperatorIndex, retry)"
    )
    let site = Site("retry", file, line, column, [.passes, .retries])
    return Signal(site, .one(self), argument: .integer(extraTries)) { [self] down in
      let left = StageState(extraTries)
      ResubscribeStage(self, down, site) { end in
        guard case .failed = end, left.value > 0 else { return .end }
        left.value -= 1
        return .resubscribe
      }
      .start()
    }
  }

  /// Subscribes again whenever this signal fails, for ever; see ``retry(_:file:line:column:)``.
  ///
  /// If each subscription fails at once, one thread subscribes in a loop until the subscription to
  /// the result is disposed of. To pause before each new try, use `retry(delay:on:)`.
  ///
  /// - Returns: A signal that does not fail.
  @inlinable
  public func retry(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("retry", file, line, column, [.passes, .retries])
    return Signal(site, .one(self), argument: .none) { [self] down in
      ResubscribeStage(self, down, site) { if case .failed = $0 { .resubscribe } else { .end } }
        .start()
    }
  }
}
