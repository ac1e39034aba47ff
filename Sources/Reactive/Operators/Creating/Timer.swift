import TraceFormat

extension Signal where Value == Void, Failure == Never {
  /// Sends one value after a delay, then completes.
  ///
  /// ```
  /// timer (after: 3)   ---(x|)
  /// ```
  ///
  /// To send repeatedly, use `interval`.
  ///
  /// - Parameters:
  ///   - delay: Counted from the subscription. If it is zero or less, the value is sent without a
  ///     delay, but still by the scheduler.
  ///   - scheduler: Where the value is sent, with one timer per subscription.
  /// - Returns: A cold signal that sends `()` once.
  public static func timer(
    after delay: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("timer(after:)", file, line, column, .timer)
    return Signal(site, argument: .duration(delay)) { down in
      let timer = ScheduledTimer(on: scheduler, after: delay, site: site, trace: down.trace) {
        down.next(())
        down.scope.end(.completed)
      }
      down.scope.own(timer)
      timer.arm()
    }
  }
}
