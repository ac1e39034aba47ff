import TraceFormat

extension Signal {
  /// When a value comes, waits for an interval and then forwards the latest value.
  ///
  /// ```
  /// source       -1-2-3-------4-|
  /// audit (4)    -----3---------(4|)
  /// ```
  ///
  /// Unlike ``debounce(_:on:file:line:column:)``, this operator also forwards values while they
  /// keep coming. Unlike with ``throttle(_:on:latest:file:line:column:)``, the first value waits,
  /// too. A timer runs only while a value waits. Completion first forwards the waiting value; a
  /// failure overtakes and drops it (event contract, rule 4).
  ///
  /// - Parameters:
  ///   - interval: The time from the first value until the latest value is forwarded. The next
  ///     value begins another interval.
  ///   - scheduler: Where the values are forwarded.
  /// - Returns: A signal that ends as this one does, after the waiting value.
  /// - Complexity: Retains one value and, while that value waits, one timer.
  public func audit(
    _ interval: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    timed(
      ThrottleState<Value, Failure>(interval, sendsFirst: false, sendsLatest: true),
      on: scheduler,
      Site("audit", file, line, column, .keepsLatest),
      argument: .duration(interval)
    )
  }
}
