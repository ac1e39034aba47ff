import Dispatch
import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing

@Suite struct FailureBacktraceTests {
  /// A signal that fails on one queue and delivers the failure on another.
  static func failing(to last: QueueScheduler = QueueScheduler(label: "second")) -> Signal<
    Int, TestFailure
  > {
    Signal<Int, TestFailure>.create { observer in
      beginFailing(observer)
    }
    .subscribe(on: QueueScheduler(label: "first"))
    .map { $0 + 1 }
    .deliver(on: last)
  }

  @inline(never)
  static func beginFailing(_ observer: Observer<Int, TestFailure>) {
    observer.fail(TestFailure(code: 9))
    withExtendedLifetime(observer) {}
  }

  private static func check(_ text: String) {
    let parts = text.components(of: "… asynchronously invoked from:")
    #expect(parts.count == 3, "\(text)")
    #expect(parts.count > 1 && parts[1].contains("FailureBacktraceTests.beginFailing"), "\(text)")
    #expect(parts.last?.contains("FailureBacktraceTests") == true, "\(text)")
  }

  @Test func theReportOfAnUnhandledFailureContainsItsOrigin() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let last = QueueScheduler(label: "second")
      let ended = DispatchSemaphore(value: 0)
      Self.failing(to: last).finally { ended.signal() }.subscribe()
      #expect(ended.wait(timeout: .now() + 60) == .success)
      // Waits for the work item that runs `finally`, because that item also prints the report.
      last.queue.sync {}
    }
    let text = String(decoding: try #require(result?.standardErrorContent), as: UTF8.self)
    #expect(text.contains("unhandled failure: TestFailure(code: 9), from "))
    Self.check(text)
  }

  @Test func aLoggedFailureContainsItsOrigin() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let log = MemoryLog()
      let ended = DispatchSemaphore(value: 0)
      Self.failing().logAll(to: log.logger).subscribe(failed: { _ in ended.signal() })
      #expect(ended.wait(timeout: .now() + 60) == .success)
      let line = try #require(log.lines.first { $0.contains("failed: TestFailure(code: 9)") })
      Self.check(line)
    }
  }

  @Test func aHandlerCanGetTheBacktrace() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let text = Box<String>()
      let ended = DispatchSemaphore(value: 0)
      Self.failing().subscribe(failed: { _ in
        text.value = "\(AsyncBacktrace.current)"
        ended.signal()
      })
      #expect(ended.wait(timeout: .now() + 60) == .success)
      Self.check(try #require(text.value))
    }
  }

  @Test func withoutATraceNothingIsAdded() {
    let log = MemoryLog()
    Signal<Int, TestFailure>.failed(TestFailure(code: 3)).logFailed(to: log.logger)
      .subscribe(failed: { _ in })
    #expect(log.lines.count == 1)
    #expect(log.lines.first?.hasSuffix("failed: TestFailure(code: 3)") == true)
  }
}

extension String {
  /// The parts of a text before, between and after the occurrences of a separator.
  fileprivate func components(of separator: String) -> [String] {
    var parts = [""]
    var rest = self[...]
    while let first = rest.first {
      if rest.hasPrefix(separator) {
        parts.append("")
        rest = rest.dropFirst(separator.count)
      } else {
        parts[parts.count - 1].append(first)
        rest = rest.dropFirst()
      }
    }
    return parts
  }
}
