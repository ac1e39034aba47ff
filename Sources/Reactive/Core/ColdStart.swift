extension Sink {
  /// Starts a cold source: at once if there is a current scheduler, otherwise as work of the
  /// background scheduler (event contract, rule 8).
  ///
  /// Traces record this work as a hop (work that is scheduled in one place and runs in another);
  /// the end of the subscription cancels it.
  ///
  /// A source that has to wait for the values of another signal (``Arrival``) never starts at once.
  /// It is scheduled when these values have arrived.
  @inlinable @inline(__always)
  func startCold(_ body: @escaping @Sendable () -> Void) {
    if startsAtOnce { if scope.isActive { body() } } else { startLater(body) }
  }

  @usableFromInline var startsAtOnce: Bool { CurrentScheduler.startsColdSources }

  @usableFromInline @inline(never)
  func startLater(_ body: @escaping @Sendable () -> Void) {
    guard let arrival = Arrival.holding else {
      let work = startingWork(on: QueueScheduler.background, body)
      return QueueScheduler.background.run(work)
    }
    var scheduler: any Scheduler = CurrentScheduler.scheduler ?? QueueScheduler.background
    // The immediate scheduler would start the source inside the delivery of the last of the values
    // that it waits for.
    if scheduler is ImmediateScheduler { scheduler = QueueScheduler.background }
    let token = Arrival.expected()
    let work = startingWork(on: scheduler) { Arrival.run(for: token, body) }
    arrival.then { [scheduler] in scheduler.run(work) }
  }

  /// Returns work that runs `body` unless the subscription has ended by then; the end of the
  /// subscription cancels the work.
  ///
  /// The subscription owns the work only until it begins, because any number of sources may start
  /// one after another in a subscription.
  func startingWork(
    on scheduler: some Scheduler,
    _ body: @escaping @Sendable () -> Void
  ) -> ScheduledWork {
    let scope = scope
    let teardown = StartTeardown()
    let work = ScheduledWork(on: scheduler, for: trace) {
      scope.release(teardown)
      if scope.isActive { body() }
    }
    teardown.work = work
    scope.own(teardown)
    return work
  }
}

/// Cancels the work that starts a source when the subscription ends.
///
/// Unchecked because of `work`, which is set before a subscription owns this object, and not after.
private final class StartTeardown: Teardown, @unchecked Sendable {
  @exclusivity(unchecked) var work: ScheduledWork?

  override func teardown(_ ending: Ending) { work?.disposeInside() }
}
