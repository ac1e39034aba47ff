import Glibc
import Logging
import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing

@Suite(.serialized) struct SignalLogTests {
  /// Sets `RXLOG` and collects the log; only for exit tests: a process bootstraps logging once.
  private static func bootstrap(_ pattern: String) -> MemoryLog {
    setenv("RXLOG", pattern, 1)
    let log = MemoryLog()
    LoggingSystem.bootstrap { _ in log.handler }
    return log
  }

  @Test func logsTheSignalsOfThatName() async {
    await #expect(processExitsWith: .success) {
      unsetenv("RXTRACE")
      let log = Self.bootstrap("filter")
      let numbers = Subject<Int, TestFailure>()
      let even = numbers.signal.map { $0 + 1 }.filter { $0 % 2 == 0 }
      even.subscribe(failed: { _ in })
      numbers.send(1)
      numbers.send(2)
      numbers.fail(TestFailure())
      #expect(!Tracer.isOn, "nothing is recorded for it")
      #expect(log.lines.count == 2, "\(log.lines)")
      #expect(log.lines.first?.contains(".filter(…) @ SignalLogTests.swift:") == true)
      #expect(log.lines.first?.hasSuffix(" next: 2") == true)
      #expect(log.lines.last?.contains(" failed: ") == true)
    }
  }

  @Test func logsASignalThatIsNamedByItsSite() async {
    await #expect(processExitsWith: .success) {
      unsetenv("RXTRACE")
      let log = Self.bootstrap("map @ SignalLogTests.swift")
      Signal<Int, Never>.just(5).map { $0 * 2 }.filter { _ in true }.subscribe()
      #expect(
        log.lines.map { $0.split(separator: " ").suffix(2).joined(separator: " ") }.first
          == "next: 10"
      )
      #expect(log.lines.count == 2, "\(log.lines)")
    }
  }

  @Test func loggingDoesNotChangeTheBehaviour() async {
    await #expect(processExitsWith: .success) {
      unsetenv("RXTRACE")
      let log = Self.bootstrap("*")
      let seen = Signal<Int, Never>.from([1, 2, 3]).map { $0 * 2 }.take(2).recorded()
      #expect(seen.events == [.next(2), .next(4), .completed])
      #expect(log.lines.contains { $0.hasSuffix("completed") })
    }
  }

  @Test func logsNothingIfNothingMatches() async {
    await #expect(processExitsWith: .success) {
      unsetenv("RXTRACE")
      let log = Self.bootstrap("nowhere")
      Signal<Int, Never>.just(1).map { $0 }.subscribe()
      #expect(log.lines == [])
    }
  }
}
