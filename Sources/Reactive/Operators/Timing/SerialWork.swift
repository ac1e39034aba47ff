public import ReactiveTrace

/// Runs work on a scheduler, one piece at a time, again as often as the work asks for it.
///
/// A scheduler that runs work at once where it is running some already takes no more stack for many pieces
/// than for one (contract rule 10).
@usableFromInline
final class SerialWork: Sendable {
  private let scheduler: any Scheduler
  private let trace: SubscriptionTrace?
  private let current = SerialDisposable()

  @usableFromInline
  init(on scheduler: any Scheduler, for trace: SubscriptionTrace?) {
    self.scheduler = scheduler
    self.trace = trace
  }

  /// The asynchronous backtrace of here, for what joins work that is scheduled already.
  @usableFromInline @inline(never)
  func origin() -> TraceOrigin { Tracer.origin(scheduler: scheduler.identity.traceNumber) }

  /// Schedules `work`; not while it is under way.
  ///
  /// - Parameter work: Returns whether it has to run once more.
  @usableFromInline
  func send(_ work: @escaping @Sendable () -> Bool) {
    var goesOn = true
    while goesOn {
      let start = StartGuard()
      let piece = ScheduledWork(on: scheduler, for: trace) {
        if work(), !start.end() { self.send(work) }
      }
      current.inner = piece
      if piece.isDisposed { return }
      scheduler.run(piece)
      goesOn = start.hasEnded()
    }
  }

  /// Cancels what has not begun, and whatever is sent afterwards.
  @usableFromInline
  func dispose() { current.dispose() }
}
