extension Sink {
  /// Starts a cold source: at once where there is a current scheduler, otherwise on the background one,
  /// as a recorded hop that ends with the subscription (contract rule 8).
  @inlinable @inline(__always)
  func startCold(_ body: @escaping @Sendable () -> Void) {
    if hasScheduler { if scope.isActive { body() } } else { startLater(body) }
  }

  @usableFromInline var hasScheduler: Bool { CurrentScheduler.exists }

  @usableFromInline @inline(never)
  func startLater(_ body: @escaping @Sendable () -> Void) {
    let scheduler = QueueScheduler.background
    let scope = scope
    let work = ScheduledWork(on: scheduler, for: trace) { if scope.isActive { body() } }
    scope.own(DisposableTeardown(work))
    scheduler.run(work)
  }
}
