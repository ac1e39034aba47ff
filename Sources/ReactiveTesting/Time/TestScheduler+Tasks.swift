import Reactive

extension TestScheduler: TaskExecutor {
  /// Runs a job of a task when the test moves the time, as work that is due now.
  ///
  /// This makes tasks run in virtual time too, on the thread that moves the time, so a test with
  /// tasks is deterministic:
  ///
  /// ```swift
  /// let time = TestScheduler()
  /// let seen = Recorder<Int, Never>()
  /// Task(executorPreference: time) {
  ///   for number in 1...2 {
  ///     try await time.sleep(for: .seconds(1))
  ///     seen.next(number)
  ///   }
  /// }
  /// time.advance(by: .seconds(2))
  /// #expect(seen.values == [1, 2])
  /// ```
  ///
  /// The functions that the task calls run in the same way, except functions isolated to an actor
  /// with a custom executor, such as the main actor.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    schedule { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Waits until `count` pieces of work are pending, for tests whose tasks run on other threads.
  ///
  /// A task that is about to sleep, or to subscribe to a signal that takes time, may not have done
  /// so yet when the test moves the time; then the test would sometimes fail, because nothing
  /// happens.
  ///
  /// ```swift
  /// async let value = signal.delay(.seconds(1), on: time).first()
  /// await time.hasPending(1)
  /// time.advance(by: .seconds(1))
  /// ```
  ///
  /// - Parameter count: The minimum number of pending pieces of work.
  public func hasPending(_ count: Int) async {
    await withCheckedContinuation { waiting(for: count, $0) }
  }
}
