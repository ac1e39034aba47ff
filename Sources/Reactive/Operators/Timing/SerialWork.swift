/// Runs work on a scheduler, one piece at a time, and schedules it again for as long as the work
/// returns true.
///
/// If the scheduler runs work at once, inside the call that schedules it, many pieces of work still
/// use no more stack than one (event contract, rule 10).
@usableFromInline
final class SerialWork: Sendable {
  let scheduler: any Scheduler
  private let trace: SubscriptionTrace?
  private let current = SerialDisposable()

  @usableFromInline
  init(on scheduler: any Scheduler, for trace: SubscriptionTrace?) {
    self.scheduler = scheduler
    self.trace = trace
  }

  /// Schedules `work`.
  ///
  /// Must not be called before earlier work has returned false.
  ///
  /// - Parameter work: Returns whether the work has to run once more.
  @usableFromInline
  func send(_ work: @escaping @Sendable () -> Bool) {
    var mustRepeat = true
    while mustRepeat {
      let start = StartGuard()
      let piece = ScheduledWork(on: scheduler, for: trace) {
        if work(), !start.end() { self.send(work) }
      }
      current.inner = piece
      if piece.isDisposed { return }
      scheduler.run(piece)
      mustRepeat = start.hasEnded()
    }
  }

  /// Cancels work that has not begun, and any work that is sent afterwards.
  @usableFromInline
  func dispose() { current.dispose() }
}
