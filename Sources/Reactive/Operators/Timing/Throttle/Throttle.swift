import TraceFormat

extension Signal {
  /// Forwards at most one value in each interval: the first, and at the end of the interval the
  /// latest of those that came meanwhile.
  ///
  /// ```
  /// source                           -1-2-3---------4-|
  /// throttle (4)                     -1---3---------4-|
  /// throttle (4), latest: false      -1-------------4-|
  /// ```
  ///
  /// An interval begins with each forwarded value, so that a value that comes after a pause is not
  /// held back. Completion first forwards the waiting value; a failure overtakes and drops it
  /// (contract rule 4). `throttle` of ReactiveCocoa is ``debounce(_:on:file:line:column:)`` here.
  ///
  /// - Parameters:
  ///   - interval: The shortest time between one forwarded value and the next.
  ///   - scheduler: Where the interval is timed and waiting values are forwarded; the first value
  ///     is forwarded where it comes.
  ///   - latest: Whether the latest value that came during an interval is forwarded at its end; it
  ///     is left out otherwise.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that ends as this one does, after the waiting value.
  /// - Complexity: Retains at most one value, and one timer while it waits.
  public func throttle(
    _ interval: Duration,
    on scheduler: some Scheduler,
    latest: Bool = true,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    timed(
      ThrottleState<Value, Failure>(interval, sendsFirst: true, sendsLatest: latest),
      on: scheduler,
      Site("throttle", file, line, column, .keepsLatest),
      argument: .duration(interval)
    )
  }
}
