extension Sink {
  /// Starts a cold source: at once where there is a current scheduler, otherwise on the background one,
  /// as a recorded hop that ends with the subscription (contract rule 8).
  ///
  /// What is held for values of another signal (``Arrival``) starts when these have come, as such a hop too.
  @inlinable @inline(__always)
  func startCold(_ body: @escaping @Sendable () -> Void) {
    if hasScheduler { if scope.isActive { body() } } else { startLater(body) }
  }

  @usableFromInline var hasScheduler: Bool { CurrentScheduler.exists }

  @usableFromInline @inline(never)
  func startLater(_ body: @escaping @Sendable () -> Void) {
    guard let arrival = Arrival.holding else {
      let work = startingWork(on: QueueScheduler.background, body)
      return QueueScheduler.background.run(work)
    }
    var scheduler: any Scheduler = CurrentScheduler.scheduler ?? QueueScheduler.background
    // Immediate would be within the delivery that brings the last value.
    if scheduler is ImmediateScheduler { scheduler = QueueScheduler.background }
    let token = Arrival.expected()
    let work = startingWork(on: scheduler) { Arrival.run(for: token, body) }
    arrival.then { [scheduler] in scheduler.run(work) }
  }

  /// Starts, unless the subscription has ended by then.
  private func startingWork(
    on scheduler: some Scheduler,
    _ body: @escaping @Sendable () -> Void
  ) -> ScheduledWork {
    let scope = scope
    let work = ScheduledWork(on: scheduler, for: trace) { if scope.isActive { body() } }
    scope.own(DisposableTeardown(work))
    return work
  }
}
