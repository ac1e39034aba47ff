import Dispatch
import Glibc
import Synchronization
import Testing
import TraceModel

/// Waits for the end of a test on a thread of its own, and reports where it does not come in time.
struct HangWatch {
  /// Whether the test has ended or its time is over, whichever was first.
  private final class Outcome: Sendable {
    private let isDecided = Atomic<Bool>(false)
    let hasEnded = DispatchSemaphore(value: 0)

    /// Whether nothing was first.
    func decide() -> Bool { !isDecided.exchange(true, ordering: .acquiringAndReleasing) }
  }

  private let outcome: Outcome
  private let watch: Task<Void, Never>

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - recording: Where it is recorded.
  ///   - body: The task that runs it.
  ///   - limit: How long it may take from now on.
  ///   - endsProcess: Whether the process ends then.
  init(
    _ test: Test,
    _ recording: TestRecording,
    _ body: Task<Void, any Error>,
    limit: Duration,
    _ endsProcess: Bool
  ) {
    let outcome = Outcome()
    self.outcome = outcome
    // A task, for that has the test's task-local values, by which an issue knows its test; but none of the pool.
    watch = Task(executorPreference: WatchThread(named: "hang watch")) {
      let start = DispatchTime.now()
      guard Self.isTimeOver(outcome.hasEnded, start, limit / 2) else { return }
      // To read debug information may take seconds, and what waits now will most likely wait then.
      let names = recording.symbolizer(knowing: WaitingWork.stack(of: body))
      guard Self.isTimeOver(outcome.hasEnded, start, limit), outcome.decide() else { return }
      Self.report(test, recording, body, limit, names)
      body.cancel()
      if endsProcess { endProcess() }
    }
  }

  /// Says that the test is over.
  ///
  /// - Returns: Whether its time was over before; then it has been reported.
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

  /// Blocks until then: the thread is there for that.
  private static func isTimeOver(
    _ hasEnded: DispatchSemaphore,
    _ start: DispatchTime,
    _ time: Duration
  ) -> Bool {
    let (seconds, attoseconds) = time.components
    // Longer than anybody waits.
    guard seconds < 1 << 32 else { return hasEnded.wait(timeout: .distantFuture) == .timedOut }
    let nanoseconds = Int(max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
    return hasEnded.wait(timeout: start + .nanoseconds(nanoseconds)) == .timedOut
  }
}

/// Ends the process with status 1, also where another thread holds what ordinary ends wait for.
private func endProcess() -> Never {
  let isWritten = DispatchSemaphore(value: 0)
  let thread = Thread(named: "last words") {
    // Waits for ever where somebody hangs while he writes.
    fflush(nil)
    isWritten.signal()
  }
  if thread.start() { _ = isWritten.wait(timeout: .now() + .milliseconds(300)) }
  _exit(EXIT_FAILURE)
}
