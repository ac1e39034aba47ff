import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Tests the descriptions of failures, which a trace contains only at level `values`.
@Suite struct FailureTextTests {
  struct Refused: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
  }

  private static func fails(with text: String) {
    let subject = Subject<Int, Refused>()
    subject.signal.map { $0 }.subscribe(failed: { _ in })
    subject.fail(Refused(text: text))
  }

  private static func texts(_ report: EndReport) -> [String] {
    report.snapshot.records.filter { $0.kind == .failureText }
      .compactMap { record in
        record.valueText.map { "\(report.snapshot.string(record.id)): \($0.text), \($0.byteCount)" }
      }
  }

  @Test func theDescriptionOfAFailureIsRecordedBeforeItsEvents() async {
    await #expect(processExitsWith: .success) {
      let report = try await EndReport(level: .values) { Self.fails(with: "no room") }
      let name = _typeName(Refused.self)
      #expect(Self.texts(report) == ["\(name): no room, 7"])
      let kinds = report.snapshot.records.map(\.kind)
      let place = try #require(kinds.firstIndex(of: .failureText))
      #expect(kinds[(place + 1)...].first { $0 != .turnBegan } == .tearDown)
      let explanation = try FailureExplanation.of(nil, in: report.snapshot)
      #expect(explanation.known.contains("it is described as: no room"))
      #expect(!explanation.unknown.contains { $0.hasPrefix("what the error contains") })
    }
  }

  @Test func aDescriptionThatWasCutEndsWithAnEllipsis() async {
    await #expect(processExitsWith: .success) {
      let text = String(repeating: "0123456789", count: 9)
      let report = try await EndReport(level: .values) { Self.fails(with: text) }
      let explanation = try FailureExplanation.of(nil, in: report.snapshot)
      let beginning = text.prefix(Layout.Record.valueByteCount)
      #expect(explanation.known.contains("it is described as: \(beginning)…"))
    }
  }

  @Test func aTimeoutDescribesFailuresOfTheProgramOnly() async {
    await #expect(processExitsWith: .success) {
      let report = try await EndReport(level: .values) {
        let time = TestScheduler()
        let subject = Subject<Int, Refused>()
        let late = Refused(text: "too late")
        let limited = subject.signal.timeout(after: .seconds(1), on: time, failingWith: late)
        limited.subscribe(failed: { _ in })
        time.run()
        limited.subscribe(failed: { _ in })
        subject.fail(Refused(text: "no room"))
      }
      let name = _typeName(Refused.self)
      #expect(Set(Self.texts(report)) == ["\(name): too late, 8", "\(name): no room, 7"])
    }
  }

  @Test func atALowerLevelNoDescriptionIsRecorded() async {
    await #expect(processExitsWith: .success) {
      let report = try await EndReport(level: .events) { Self.fails(with: "no room") }
      #expect(Self.texts(report) == [])
      #expect(report.snapshot.records.contains { $0.kind == .failed })
      let explanation = try FailureExplanation.of(nil, in: report.snapshot)
      #expect(explanation.unknown.contains { $0.hasPrefix("what the error contains") })
    }
  }

  @Test func aFailureAtALowerLevelDoesNotGetTheDescriptionOfAnEarlierOne() async {
    await #expect(processExitsWith: .success) {
      let report = try await EndReport(level: .values) {
        Self.fails(with: "no room")
        Trace.level = .events
        Self.fails(with: "no network")
      }
      #expect(Self.texts(report).count == 1)
      let explanation = try FailureExplanation.of(nil, in: report.snapshot)
      #expect(!explanation.known.contains { $0.hasPrefix("it is described as") })
      #expect(explanation.unknown.contains { $0.hasPrefix("what the error contains") })
    }
  }

  @Test func aLongDescriptionIsClippedAndARedactedOneIsEmpty() async {
    await #expect(processExitsWith: .success) {
      Trace.redact = { $0.contains("secret") ? nil : $0 }
      let report = try await EndReport(level: .values) {
        Self.fails(with: String(repeating: "x", count: 100))
        Self.fails(with: "secret")
      }
      let name = _typeName(Refused.self)
      let clipped = String(repeating: "x", count: Layout.Record.valueByteCount)
      #expect(Self.texts(report) == ["\(name): \(clipped), 100", "\(name): , 0"])
    }
  }
}
