import ReactiveTrace
public import Testing

/// Records a test, so that a failure or hang shows what the test was doing; see
/// ``Testing/Trait/traced(timeLimit:endsProcess:)``.
public struct TracedTrait: TestTrait, SuiteTrait, TestScoping {
  /// The time after which a test counts as hung; nil for never.
  public let timeLimit: Duration?
  /// Whether a test that hangs ends the process.
  public let endsProcess: Bool

  /// True: the trait applies to each test of a suite.
  public var isRecursive: Bool { true }

  /// Runs the test, and attaches the recording if it fails or hangs.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: One case of the test.
  ///   - function: Runs the test.
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
    // A separate task, which the watching thread can identify and cancel.
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
  /// Records the test; if it fails, the recording and the findings of rxtop in it are attached.
  public static var traced: Self { TracedTrait(timeLimit: nil, endsProcess: false) }

  /// Records the test, and if it does not end in time, reports which code waits, and where.
  ///
  /// ```swift
  /// @Test(.traced(timeLimit: .seconds(10), endsProcess: true))
  /// func anOrderIsDelivered() async throws {
  ///   let delivered = try await shop.order(3).first()
  ///   #expect(delivered == 3)
  /// }
  /// ```
  ///
  /// When the time is over, an issue names the line at which the test waits, with the stack of its
  /// task and the stacks of all other threads and tasks in which code of the program waits. The
  /// recording, with function names and lines embedded, and the findings of rxtop in it are
  /// attached (`swift test --attachments-path`). Then the test is cancelled. With `endsProcess` the
  /// process ends with status 1, so that it cannot hang any longer; tests that have not run yet are
  /// then not run.
  ///
  /// The report is made on a separate thread, so neither a cooperative pool whose threads are all
  /// blocked nor a blocked main thread delays it. The stacks of other threads are taken with
  /// `SIGPROF`, so blocking system calls in them, such as `poll`, may return with `EINTR`; if the
  /// program handles that signal itself, these stacks are not shown.
  ///
  /// The report is about the whole process, so it also shows the waiting code of tests that run at
  /// the same time.
  ///
  /// - Parameters:
  ///   - timeLimit: How long the test, or one case of it, may take.
  ///   - endsProcess: Whether a hang ends the process.
  /// - Returns: A trait for a test, or for all tests of a suite.
  public static func traced(timeLimit: Duration, endsProcess: Bool = false) -> Self {
    TracedTrait(timeLimit: timeLimit, endsProcess: endsProcess)
  }
}
