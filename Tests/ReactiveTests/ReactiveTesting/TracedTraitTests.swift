import Dispatch
import Glibc
import Reactive
import ReactiveTesting
import Synchronization
import Testing

/// Disabled under the thread sanitizer: it delays signal handlers, which collect the stacks of
/// threads.
@Suite(.disabled(if: dlsym(nil, "__tsan_init") != nil))
struct TracedTraitTests {
  @Test func aTestThatAwaitsAContinuationIsReportedWithTheLineAtWhichItWaits() throws {
    let run = try SampleRun(of: "awaitsAContinuation")
    #expect(run.status == 1)
    run.expect("has not ended within 0.5 seconds; it waits at awaitAnAnswer() at ")
    run.expect("recorded an issue at TracedTraitTests.swift:\(awaitedLine)")
    run.expect("\(#filePath):\(awaitedLine)\n")
    try run.expectAttachments()
  }

  @Test func aTestThatBlocksTheCooperativePoolIsReportedWithTheLinesThatBlockIt() throws {
    let run = try SampleRun(of: "blocksTheCooperativePool")
    #expect(run.status == 1)
    run.expect("block(_:) at \(#filePath):\(blockedLine)\n")
    run.expect("recorded an issue at TracedTraitTests.swift:\(TracedSamples.groupLine)")
    try run.expectAttachments()
  }

  @Test func aTestThatBlocksTheMainQueueIsReportedWithTheLineThatBlocksIt() throws {
    let run = try SampleRun(of: "blocksTheMainQueue")
    #expect(run.status == 1)
    run.expect("it waits at block(_:) at \(#filePath):\(blockedLine)\n")
    run.expect("recorded an issue at TracedTraitTests.swift:\(blockedLine)")
    try run.expectAttachments()
  }

  @Test func theReportOfATestThatAwaitsASilentSignalNamesTheSilentOne() throws {
    let run = try SampleRun(of: "awaitsASilentSignal")
    #expect(run.status == 1)
    run.expect(
      "Subject@TracedTraitTests.swift:\(TracedSamples.subjectLine) is the first that is silent"
    )
    try run.expectAttachments()
  }

  @Test func theTaskThatATestAwaitsIsShownWithItsOwnLine() throws {
    let run = try SampleRun(of: "awaitsATask")
    run.expect("A task, suspended:\n    awaitAnAnswer() at \(#filePath):\(awaitedLine)\n")
  }

  @Test func aTestThatExceedsItsLimitIsCancelledAndReportedOnce() throws {
    let run = try SampleRun(of: "sleepsTooLong")
    #expect(run.status == 1)
    run.expect("failed after")
    run.expect("with 1 issue")
  }

  @Test func aTestThatFailsHasItsRecordingAttachedAndOneThatPassesDoesNot() throws {
    try SampleRun(of: "fails").expectAttachments()
    let passing = try SampleRun(of: "passes")
    #expect(passing.status == 0)
    let hasRecording = passing.attached("recording.rxtrace") != nil
    #expect(!hasRecording)
  }

  @Test func aTestThatThrowsFailsWithItsOwnErrorAndItsRecording() throws {
    let run = try SampleRun(of: "throwsAnError")
    run.expect("Caught error: SampleFailure()")
    try run.expectAttachments()
  }

  @Test func theFindingsOfAssertNoLeaksAreAttached() throws {
    let run = try SampleRun(of: "leavesASubscriptionBehind")
    run.expect("subscription left behind")
    try run.expectAttachments()
  }
}

// MARK: Samples

private struct SampleFailure: Error {}

private let awaitedLine = #line + 3

private func awaitAnAnswer() async -> Int {
  await withCheckedContinuation { kept.withLock { [continuation = $0] in $0.append(continuation) } }
}

private let kept = Mutex<[CheckedContinuation<Int, Never>]>([])

private let blockedLine = #line + 3

private func block(_ semaphore: DispatchSemaphore) {
  semaphore.wait()
}

/// Tests that hang or fail, each run by another test in a separate process.
@Suite(.enabled(if: getenv("TRACED_TRAIT_SAMPLES") != nil))
private struct TracedSamples {
  @Test(.traced(timeLimit: .milliseconds(500), endsProcess: true))
  func awaitsAContinuation() async {
    let answer = await awaitAnAnswer()
    #expect(answer == 1)
  }

  static let groupLine = #line + 5

  @Test(.traced(timeLimit: .milliseconds(500), endsProcess: true))
  func blocksTheCooperativePool() async {
    let never = DispatchSemaphore(value: 0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<64 { group.addTask { block(never) } }
    }
  }

  @MainActor @Test(.traced(timeLimit: .milliseconds(500), endsProcess: true))
  func blocksTheMainQueue() {
    block(DispatchSemaphore(value: 0))
  }

  static let subjectLine = #line + 4

  @Test(.traced(timeLimit: .milliseconds(500), endsProcess: true))
  func awaitsASilentSignal() async {
    let orders = Subject<Int, Never>()
    let order = await orders.signal.filter { $0 > 3 }.first()
    #expect(order == 4)
  }

  @Test(.traced(timeLimit: .milliseconds(500), endsProcess: true))
  func awaitsATask() async {
    let task = Task { await awaitAnAnswer() }
    let answer = await task.value
    #expect(answer == 1)
  }

  @Test(.traced(timeLimit: .milliseconds(500)))
  func sleepsTooLong() async throws { try await Task.sleep(for: .seconds(100)) }

  @Test(.traced) func fails() { #expect(kept.withLock { $0.count } == 1) }

  @Test(.traced(timeLimit: .seconds(100))) func passes() async { await Task.yield() }

  @Test(.traced(timeLimit: .seconds(100))) func throwsAnError() throws { throw SampleFailure() }

  @Test func leavesASubscriptionBehind() {
    let subject = Subject<Int, Never>()
    assertNoLeaks { _ = subject.signal.subscribe() }
    withExtendedLifetime(subject) {}
  }
}

/// A run of one sample in a separate process.
private struct SampleRun {
  let output: String
  let status: Int32
  private let attachments: [String: [UInt8]]

  init(of sample: String) throws {
    var template = Array("/tmp/traced-trait-XXXXXX".utf8CString)
    let made = try #require(mkdtemp(&template)).withMemoryRebound(to: CChar.self, capacity: 1) {
      String(cString: $0)
    }
    defer { _ = system("rm -rf '\(made)'") }
    // The path is read from the system, because the program may have been started under another
    // name.
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let program = String(
      decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)),
      as: UTF8.self
    )
    let command =
      "env -u RXTRACE TRACED_TRAIT_SAMPLES=1 RXTRACE_DIR='\(made)' NO_COLOR=1 timeout -s KILL 120 '\(program)' "
      + "--testing-library swift-testing --filter 'TracedSamples/\(sample)' --attachments-path '\(made)' 2>&1"
    let stream = try #require(popen(command, "r"))
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&part, 1, part.count, stream), count > 0 {
      bytes += part[..<count]
    }
    status = (pclose(stream) >> 8) & 0xFF
    output = String(decoding: bytes, as: UTF8.self)
    let names = ["findings.txt", "recording.rxtrace"]
    attachments = Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        Self.read("\(made)/\(name)").map { (name, $0) }
      }
    )
  }

  func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(output.contains(text), "\(output)", sourceLocation: sourceLocation)
  }

  /// The attachment with that name; nil if there is none.
  func attached(_ name: String) -> [UInt8]? { attachments[name] }

  private static func read(_ path: String) -> [UInt8]? {
    guard let stream = fopen(path, "r") else { return nil }
    defer { fclose(stream) }
    return [UInt8](unsafeUninitializedCapacity: 1 << 20) {
      $1 = fread($0.baseAddress, 1, $0.count, stream)
    }
  }

  /// Checks that the findings and a recording are attached.
  func expectAttachments(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(attached("findings.txt")?.isEmpty == false, "\(output)", sourceLocation: sourceLocation)
    let recording = attached("recording.rxtrace") ?? []
    // The comparison is outside the macro, which would print the whole recording.
    let isRecording = recording.starts(with: Array("RXTRACE".utf8))
    #expect(isRecording, sourceLocation: sourceLocation)
  }
}
