import TraceFormat

extension Signal {
  /// Limits the rate of values: forwards a value at once, and then, at the end of each interval,
  /// the latest value that came during the interval.
  ///
  /// ```
  /// source                           -1-2-3---------4-|
  /// throttle (4)                     -1---3---------4-|
  /// throttle (4), latest: false      -1-------------4-|
  /// ```
  ///
  /// An interval begins with each forwarded value. A value that comes when no interval is running
  /// is forwarded at once. Completion first forwards the waiting value; a failure overtakes and
  /// drops it (event contract, rule 4). `throttle` of ReactiveCocoa is
  /// ``debounce(_:on:file:line:column:)`` here.
  ///
  /// - Parameters:
  ///   - interval: The shortest time between one forwarded value and the next.
  ///   - scheduler: Where the interval is timed and waiting values are forwarded; a value that need
  ///     not wait is forwarded on the thread that sends it.
  ///   - latest: Whether the latest value that came during an interval is forwarded at the end of
  ///     the interval, instead of being dropped.
  /// - Returns: A signal that ends as this one does, after the waiting value.
  /// - Complexity: Retains at most one value and, while that value waits, one timer.
  public func throttle(
    _ interval: Duration,
    on scheduler: some Scheduler,
    latest: Bool = true,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    timed(
      ThrottleState<Value, Failure>(interval, sendsFirst: true, sendsLatest: latest),
      on: scheduler,
      Site("throttle", file, line, column, .keepsLatest),
      argument: .duration(interval)
    )
  }
}
