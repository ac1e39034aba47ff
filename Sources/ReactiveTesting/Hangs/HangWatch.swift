import Dispatch
import Glibc
import Synchronization
import Testing
import TraceModel

/// Waits for the end of a test on a separate thread, and reports a hang if the test does not end in
/// time.
struct HangWatch {
  /// Decides which came first: the end of the test or the time limit.
  private final class Outcome: Sendable {
    private let isDecided = Atomic<Bool>(false)
    let hasEnded = DispatchSemaphore(value: 0)

    /// Returns true for the first caller only.
    func decide() -> Bool { !isDecided.exchange(true, ordering: .acquiringAndReleasing) }
  }

  private let outcome: Outcome
  private let watch: Task<Void, Never>

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - recording: The recording of the process.
  ///   - body: The task that runs the test.
  ///   - limit: How long the test may take from now on.
  ///   - endsProcess: Whether a hang ends the process.
  init(
    _ test: Test,
    _ recording: TestRecording,
    _ body: Task<Void, any Error>,
    limit: Duration,
    _ endsProcess: Bool
  ) {
    let outcome = Outcome()
    self.outcome = outcome
    // This is a task because a task inherits the test's task-local values, by which Swift Testing
    // assigns an issue to its test. It does not run on the cooperative pool, whose threads may all
    // be blocked.
    watch = Task(executorPreference: WatchThread(named: "hang watch")) {
      let start = DispatchTime.now()
      guard Self.isTimeOver(outcome.hasEnded, start, limit / 2) else { return }
      // Reading debug information may take seconds, so it begins at half time: code that waits now
      // will most likely still wait when the time is over.
      let names = recording.symbolizer(knowing: WaitingWork.stack(of: body))
      guard Self.isTimeOver(outcome.hasEnded, start, limit), outcome.decide() else { return }
      Self.report(test, recording, body, limit, names)
      body.cancel()
      if endsProcess { endProcess() }
    }
  }

  /// Stops watching, because the test has ended.
  ///
  /// - Returns: Whether the time limit passed before the test ended; if so, the hang has been
  ///   reported.
  func stop() async -> Bool {
    if outcome.decide() {
      outcome.hasEnded.signal()
      return false
    }
    await watch.value
    return true
  }

  private static func report(
    _ test: Test,
    _ recording: TestRecording,
    _ body: Task<Void, any Error>,
    _ limit: Duration,
    _ names: Symbolizer?
  ) {
    let waiting = WaitingWork(of: body, names)
    let text = waiting.text + recording.explanations(at: waiting.places)
    let place = waiting.places.first.map { "; it waits at \($0)" } ?? ""
    Issue.record(
      "'\(test.displayName ?? test.name)' has not ended within \(limit)\(place)\n\(text)\(recording.location)",
      sourceLocation: waiting.location(near: test.sourceLocation)
    )
    recording.attach(test.sourceLocation, waiting: text, names)
  }

  /// Blocks until the test ends or `time` has passed since `start`; returns whether the time is
  /// over.
  ///
  /// Blocking is allowed, because the thread does nothing else.
  private static func isTimeOver(
    _ hasEnded: DispatchSemaphore,
    _ start: DispatchTime,
    _ time: Duration
  ) -> Bool {
    let (seconds, attoseconds) = time.components
    // The limit is more than a century, and would overflow in nanoseconds.
    guard seconds < 1 << 32 else { return hasEnded.wait(timeout: .distantFuture) == .timedOut }
    let nanoseconds = Int(max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
    return hasEnded.wait(timeout: start + .nanoseconds(nanoseconds)) == .timedOut
  }
}

/// Ends the process with status 1, even if another thread holds a lock that `exit` would wait for.
private func endProcess() -> Never {
  let isWritten = DispatchSemaphore(value: 0)
  let thread = Thread(named: "last words") {
    // This blocks for ever if another thread hangs while it holds the lock of a stream.
    fflush(nil)
    isWritten.signal()
  }
  if thread.start() { _ = isWritten.wait(timeout: .now() + .milliseconds(300)) }
  _exit(EXIT_FAILURE)
}
