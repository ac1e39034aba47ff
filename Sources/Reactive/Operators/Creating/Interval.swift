import TraceFormat

extension Signal where Value == Int, Failure == Never {
  /// Sends 0, 1, 2, … at a fixed interval, starting after one interval; never ends by itself.
  ///
  /// The times of the ticks are multiples of the interval, counted from the subscription, so they
  /// do not drift. If handling a tick takes longer than the interval, the ticks missed in the
  /// meantime are skipped; the numbers still have no gaps.
  ///
  /// - Parameters:
  ///   - interval: Must be positive.
  ///   - scheduler: Where the ticks are sent, with one timer per subscription.
  ///   - leeway: How late a tick may be, so that the processor can wake for several timers at once.
  ///     A late tick does not delay later ticks. Schedulers may ignore the leeway.
  /// - Returns: A signal that counts its ticks from 0 and never ends by itself.
  public static func interval(
    _ interval: Duration,
    on scheduler: some Scheduler,
    leeway: Duration = .zero,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    precondition(interval > .zero, "interval(\(interval)): the interval must be positive")
    precondition(leeway >= .zero, "interval(leeway: \(leeway)): the leeway must be ≥ 0")
    let scheduler: any Scheduler = leeway == .zero ? scheduler : LeewayScheduler(scheduler, leeway)
    let site = Site("interval", file, line, column, [.timer, .endless])
    return Signal(site, argument: .duration(interval)) { down in
      let count = StageState(0)
      let timer = ScheduledTimer(
        on: scheduler,
        after: interval,
        every: interval,
        site: site,
        trace: down.trace
      ) {
        defer { count.value += 1 }
        down.next(count.value)
      }
      // The subscription has to own the timer before `arm` is called, because the first tick may
      // end the subscription before `arm` returns.
      down.scope.own(timer)
      timer.arm()
    }
  }
}
