import ReactiveTrace
public import Testing

/// Records a test, so that one that fails or hangs shows what it was at; see ``Testing/Trait/traced(timeLimit:endsProcess:)``.
public struct TracedTrait: TestTrait, SuiteTrait, TestScoping {
  /// After which time a test counts as hung; nil for never.
  public let timeLimit: Duration?
  /// Whether a test that hangs ends the process.
  public let endsProcess: Bool

  /// Holds for each test of a suite.
  public var isRecursive: Bool { true }

  /// Runs the test, and reports where it fails or hangs.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: One case of it.
  ///   - function: Runs it.
  /// - Throws: What the test throws.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let recording: TestRecording
    do {
      recording = try TestRecording()
    } catch {
      Issue.record(
        "this test is not recorded: \(error)",
        severity: .warning,
        sourceLocation: test.sourceLocation
      )
      return try await function()
    }
    let failures = FailureCount()
    try await withoutActuallyEscaping(function) { function in
      try await failures.counting(for: test, testCase) {
        try await runWatched(test, recording, failures, function)
      }
    }
  }

  private func runWatched(
    _ test: Test,
    _ recording: TestRecording,
    _ failures: FailureCount,
    _ function: @escaping @Sendable () async throws -> Void
  ) async throws {
    // A task of its own, which the thread that watches can name and cancel.
    let body = Task { try await function() }
    let watch = timeLimit.map { HangWatch(test, recording, body, limit: $0, endsProcess) }
    let result = await withTaskCancellationHandler {
      await body.result
    } onCancel: {
      body.cancel()
    }
    let hasReported = await watch?.stop() ?? false
    if case .failure(let error) = result, !(hasReported && error is CancellationError) {
      if !hasReported { recording.attach(test.sourceLocation) }
      throw error
    }
    if !hasReported, failures.count > 0 { recording.attach(test.sourceLocation) }
  }
}

extension Trait where Self == TracedTrait {
  /// Records the test; where it fails, its recording and what rxtop finds in it are attached to it.
  public static var traced: Self { TracedTrait(timeLimit: nil, endsProcess: false) }

  /// Records the test, and reports what waits for what where it does not end in time.
  ///
  /// ```swift
  /// @Test(.traced(timeLimit: .seconds(10), endsProcess: true))
  /// func anOrderIsDelivered() async throws {
  ///   let delivered = try await shop.order(3).first()
  ///   #expect(delivered == 3)
  /// }
  /// ```
  ///
  /// When the time is over, an issue names the line at which the test waits, with the stack of its task, and of every other thread and task
  /// in which code of the program waits. The recording, with the names of its functions and lines in it, and what rxtop finds in it, are attached
  /// (`swift test --attachments-path`). Then the test is cancelled; with `endsProcess` the process ends with status 1, so that nothing of
  /// it hangs, and tests that it still would have run do not.
  ///
  /// Reported from a thread of its own: neither a cooperative pool of which all threads are blocked nor a main thread that is blocked
  /// delays it. The stacks of other threads are taken with `SIGPROF`, so that calls of the system that wait, as `poll`, may return in
  /// them with `EINTR`; where the program handles that signal itself, they are not shown.
  ///
  /// Also reported is what waits in tests that run beside this one: the process is recorded as a whole.
  ///
  /// - Parameters:
  ///   - timeLimit: How long the test, or one case of it, may take.
  ///   - endsProcess: Whether the process ends then.
  /// - Returns: A trait for a test, or for all tests of a suite.
  public static func traced(timeLimit: Duration, endsProcess: Bool = false) -> Self {
    TracedTrait(timeLimit: timeLimit, endsProcess: endsProcess)
  }
}
