import TraceFormat

extension Signal {
  /// Subscribes to this signal after a delay.
  ///
  /// ```
  /// source                   -1-2-|
  /// delaySubscription (3)    ----1-2-|
  /// ```
  ///
  /// Values that a hot signal sends during the delay are missed; use
  /// ``delay(_:on:file:line:column:)`` to forward them later instead. Disposal during the delay
  /// cancels the subscription.
  ///
  /// - Parameters:
  ///   - interval: The delay.
  ///   - scheduler: Where the delay is timed and this signal is subscribed to.
  /// - Returns: A signal with the same events.
  /// - Complexity: Retains one timer during the delay.
  public func delaySubscription(
    _ interval: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("delaySubscription", file, line, column, .passes)
    return Signal(site, .one(self), argument: .duration(interval)) { [self] down in
      // The timer has a separate scope, which releases it when the delay has passed.
      let delay = UpstreamScope<Never>(in: down.scope) { _ in down.attachLater(self) }
      let timer = ScheduledTimer(on: scheduler, after: interval, site: site, trace: down.trace) {
        delay.end(.completed)
      }
      delay.own(timer)
      timer.arm()
    }
  }
}
