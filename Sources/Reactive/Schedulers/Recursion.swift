extension Scheduler {
  /// Runs a closure, and runs it again each time that it requests another run.
  ///
  /// ```swift
  /// let work = scheduler.scheduleRecursively { again in
  ///   if let line = readLine() {
  ///     print(line)
  ///     again()
  ///   }
  /// }
  /// ```
  ///
  /// Each run is a separate piece of work, so that other work of the scheduler gets its turn in
  /// between; on a scheduler that runs work at once, the runs follow each other in a loop. However
  /// many runs are requested, the stack does not grow. Two requests give two runs. A request may
  /// also be made after the run has returned, from any thread: it then schedules another run. Runs
  /// never overlap.
  ///
  /// - Parameter work: Receives the closure that requests another run. Released when no run is left
  ///   and none can be requested any more.
  /// - Returns: A disposable that cancels the runs that have not begun, including those requested
  ///   later.
  @discardableResult
  public func scheduleRecursively(
    _ work: @escaping @Sendable (_ again: @escaping @Sendable () -> Void) -> Void
  ) -> any Disposable {
    scheduleRecursively(for: nil, work)
  }

  /// Runs a closure as ``scheduleRecursively(_:)`` does, on behalf of a subscription.
  func scheduleRecursively(
    for trace: SubscriptionTrace?,
    _ work: @escaping @Sendable (_ again: @escaping @Sendable () -> Void) -> Void
  ) -> any Disposable {
    let recursion = Recursion(on: self, for: trace, work)
    recursion.requestRun()
    return recursion
  }
}

/// Runs of one closure on a scheduler, one after another.
private final class Recursion: Disposable {
  private struct State: Sendable {
    var work: (@Sendable (_ again: @escaping @Sendable () -> Void) -> Void)?
    /// The number of runs that were requested and are not scheduled yet.
    var requestedCount = 0
    /// Whether a piece of work is scheduled or running.
    var isBusy = false
    /// Whether a run, or the scheduling of the next, is under way on some thread.
    var isInside = false
    /// Whether the next piece of work began while `isInside` was set; the thread inside performs
    /// its run.
    var isDue = false
    var scheduled: ScheduledWork?
    var isOver = false

    /// Takes one request, if there is one; returns whether a run must be scheduled for it.
    mutating func takeNext() -> Bool {
      isBusy = requestedCount > 0 && !isOver
      if isBusy { requestedCount -= 1 } else { scheduled = nil }
      return isBusy
    }
  }

  private let scheduler: any Scheduler
  private let trace: SubscriptionTrace?
  private let state: Locked<State>

  init(
    on scheduler: some Scheduler,
    for trace: SubscriptionTrace?,
    _ work: @escaping @Sendable (_ again: @escaping @Sendable () -> Void) -> Void
  ) {
    self.scheduler = scheduler
    self.trace = trace
    state = Locked(State(work: work))
  }

  var isDisposed: Bool { state.withLock { $0.isOver } }

  func requestRun() {
    let mustSchedule = state.withLock { state in
      if state.isOver { return false }
      state.requestedCount += 1
      return state.isBusy ? false : state.takeNext()
    }
    if mustSchedule { schedule() }
  }

  func dispose() {
    let (scheduled, work) = state.withLock { state in
      defer {
        state.isOver = true
        state.scheduled = nil
        state.work = nil
      }
      return (state.scheduled, state.work)
    }
    scheduled?.dispose()
    withExtendedLifetime(work) {}
  }

  private func schedule() {
    let work = ScheduledWork(on: scheduler, for: trace) { self.turn() }
    let isOver = state.withLock { state in
      if !state.isOver { state.scheduled = work }
      return state.isOver
    }
    if isOver { work.dispose() } else { scheduler.run(work) }
  }

  /// Performs the run of one piece of work, and further runs if the scheduler begins the next piece
  /// at once.
  private func turn() {
    let isInside = state.withLock { state in
      if state.isInside { state.isDue = true }
      defer { state.isInside = true }
      return state.isInside
    }
    if isInside { return }
    repeat {
      if let work = state.withLock({ $0.work }) { work { self.requestRun() } }
      if state.withLock({ $0.takeNext() }) { schedule() }
    } while !leave()
  }

  /// Returns false if the next piece of work began meanwhile, so that its run has to be performed.
  private func leave() -> Bool {
    state.withLock { state in
      state.isInside = state.isDue
      state.isDue = false
      return !state.isInside
    }
  }
}
