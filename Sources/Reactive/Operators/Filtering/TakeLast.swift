public import TraceFormat

extension Signal {
  /// Forwards the last `count` values when the source completes.
  ///
  /// ```
  /// source          -1-2-3-|
  /// take(last: 2)   -------(23|)
  /// ```
  ///
  /// If the source sends fewer values, all of them are forwarded. A failure is forwarded at once,
  /// without the held values (event contract, rule 4). The held values are also dropped if the
  /// source can no longer send. With a count of 0, the result is empty and ends when the source
  /// does, whereas ``take(_:file:line:column:)`` completes at once. `take(last: 1)` is the `last()`
  /// of other libraries.
  ///
  /// - Parameters:
  ///   - count: How many values to forward at most; must not be negative.
  /// - Returns: A signal that ends when this one does, and in the same way.
  /// - Complexity: Retains up to `count` values per subscription.
  @inlinable
  public func take(
    last count: Int,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    precondition(
      count >= 0,
      "take(last: \(count)): the count must be ≥ 0 (OperatorIndex, take(last:))"
    )
    return Signal(
      Site("take(last:)", file, line, column, [.drops, .sendsAtEnd]),
      .one(self),
      argument: .integer(count)
    ) {
      [self] down in
      let held = StageState(Held(Fifo<Value>(), for: down.trace))
      let upstream = UpstreamScope<Failure>(in: down.scope) { end in
        if case .completed = end {
          var last = held.value.change { values in
            defer { values = Fifo() }
            return values
          }
          while down.scope.isActive, let value = last.pop() { down.next(value) }
        }
        down.scope.end(end)
      }
      attach(
        Sink(upstream, down.trace, down.downstreamGate) { value in
          held.value.change { values in
            values.push(value)
            if values.count > count { _ = values.pop() }
          }
        }
      )
    }
  }
}
