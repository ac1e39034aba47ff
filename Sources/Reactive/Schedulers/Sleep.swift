extension Scheduler {
  /// Suspends the task until a given duration of this scheduler's time has passed.
  ///
  /// ```swift
  /// try await scheduler.sleep(for: .seconds(1))
  /// ```
  ///
  /// Blocks no thread. The task is woken on this scheduler, and continues on its own executor.
  ///
  /// - Parameters:
  ///   - duration: If it is zero or less, the task sleeps until the scheduler runs the work that
  ///     wakes it.
  /// - Throws: `CancellationError`, at once, when the task is cancelled.
  public func sleep(
    for duration: Duration,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) async throws(CancellationError) {
    let sleeper = Sleeper()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard sleeper.begin(continuation) else { return }
        sleeper.timer.inner = schedule(after: duration, file: file, line: line, column: column) {
          sleeper.wake(wasCancelled: false)
        }
      }
    } onCancel: {
      sleeper.timer.dispose()
      sleeper.wake(wasCancelled: true)
    }
    if sleeper.wasCancelled { throw CancellationError() }
  }

  /// Suspends the task until this scheduler's time reaches an instant; see
  /// ``sleep(for:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - time: In the time of ``now``; if it has passed, the task wakes as soon as possible.
  /// - Throws: `CancellationError`, at once, when the task is cancelled.
  public func sleep(
    until time: Duration,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) async throws(CancellationError) {
    try await sleep(for: time - now, file: file, line: line, column: column)
  }
}

/// A sleeping task.
///
/// It is woken once, by the timer or by its cancellation, which may even come before it sleeps.
private final class Sleeper: Sendable {
  private struct State: Sendable {
    var continuation: CheckedContinuation<Void, Never>?
    var isAwake = false
    var wasCancelled = false
  }

  let timer = SerialDisposable()
  private let state = Locked(State())

  var wasCancelled: Bool { state.withLock { $0.wasCancelled } }

  /// Lets the task sleep until it is woken.
  ///
  /// - Returns: False if the task has been woken already, and so continues at once.
  func begin(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
    let isAwake = state.withLock { state in
      if !state.isAwake { state.continuation = continuation }
      return state.isAwake
    }
    if isAwake { continuation.resume() }
    return !isAwake
  }

  func wake(wasCancelled: Bool) {
    let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.isAwake { return nil }
      state.isAwake = true
      state.wasCancelled = wasCancelled
      return state.continuation.take()
    }
    continuation?.resume()
  }
}
