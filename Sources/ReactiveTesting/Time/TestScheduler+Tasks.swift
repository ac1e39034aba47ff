import Reactive

extension TestScheduler: TaskExecutor {
  /// Runs a piece of a task when the time is moved, as work that is due now.
  ///
  /// With this, tasks run in virtual time, too, on the thread that moves it, and a test with tasks has one outcome:
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
  /// It holds for what the task calls, as far as that is bound to no actor with threads of its own, such as the main actor.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    schedule { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Waits until so many pieces of work wait, for tests whose tasks run on threads of their own.
  ///
  /// A task that is to sleep, or to subscribe to something that takes time, may not have got there when the test moves the
  /// time: then nothing would happen, now and then.
  ///
  /// ```swift
  /// async let value = signal.delay(.seconds(1), on: time).first()
  /// await time.hasPending(1)
  /// time.advance(by: .seconds(1))
  /// ```
  ///
  /// - Parameter count: How many there are to be, at least.
  public func hasPending(_ count: Int) async {
    await withCheckedContinuation { waiting(for: count, $0) }
  }
}
