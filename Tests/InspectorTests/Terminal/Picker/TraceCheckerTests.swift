import InspectorUI
import Synchronization
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Which traces are examined, and how often.
@Suite struct TraceCheckerTests {
  /// A checker that works synchronously, and a list of the traces that it has examined.
  private final class Work: Sendable {
    private let paths = Mutex<[String]>([])

    func checker() -> TraceChecker {
      TraceChecker(
        check: { path in
          self.paths.withLock { $0.append(path) }
          return TraceVerdict()
        },
        run: { $0() }
      )
    }

    /// The names of the examined programs, in order.
    var done: [String] {
      paths.withLock { paths in
        paths.map { String($0.dropFirst(PickerFixture.folder.count).prefix { $0 != "-" }) }
      }
    }
  }

  private let past = PickerFixture.file("past", process: 1, .stopped)
  private let app = PickerFixture.file("app", process: 2)

  @Test func eachRecordingIsExaminedOnce() {
    let work = Work()
    let checker = work.checker()
    for _ in 0..<3 { checker.enqueue([past], at: .now + .seconds(100)) }
    #expect(work.done == ["past"])
    #expect(checker.verdicts[past.path] == TraceVerdict())
    #expect(!checker.isBusy)
  }

  @Test func tracesAreExaminedInTheRequestedOrder() {
    let work = Work()
    work.checker().enqueue([app, past])
    #expect(work.done == ["app", "past"])
  }

  @Test func aChangedRecordingIsExaminedAgain() {
    let work = Work()
    let checker = work.checker()
    checker.enqueue([past])
    var changed = past
    changed.stamp.modified += 1
    checker.enqueue([changed])
    var other = past
    other.stamp.inode += 1
    checker.enqueue([other])
    #expect(work.done == ["past", "past", "past"])
  }

  @Test func aRunningProgramIsNotExaminedAgainForAWhile() {
    let work = Work()
    let checker = work.checker()
    let start = ContinuousClock.now
    checker.enqueue([app], at: start)
    checker.enqueue([app], at: start + TraceChecker.pause)
    #expect(work.done == ["app"])
    checker.enqueue([app], at: .now + .seconds(1000))
    #expect(work.done == ["app", "app"])
  }

  @Test func anEndedProgramIsExaminedAtOnce() {
    let work = Work()
    let checker = work.checker()
    checker.enqueue([app])
    var ended = app
    ended.status = .died
    checker.enqueue([ended])
    checker.enqueue([ended])
    #expect(work.done == ["app", "app"])
  }

  @Test func aLargeTraceIsReadOnlyOnRequest() {
    let work = Work()
    let checker = work.checker()
    var large = past
    large.stamp.allocated = TraceChecker.limit + 1
    checker.enqueue([large])
    #expect(work.done.isEmpty)
    #expect(checker.verdicts[large.path]?.problem?.hasPrefix("It is too large") == true)
  }

  @Test func deletedTracesAreForgotten() {
    let checker = Work().checker()
    checker.enqueue([past])
    checker.enqueue([])
    #expect(checker.verdicts.isEmpty)
  }

  @Test func aVerdictIsTheWorstFindingOrTheReasonThatThereIsNone() throws {
    let trace = try WrittenTrace(Story.text)
    let verdict = TraceChecker.verdict(of: trace.path)
    var source = try TraceSource(path: trace.path)
    let worst = try source.inspection(at: .end).findings.first
    #expect(verdict.level == worst?.level)
    #expect(verdict.problem == nil)
    #expect(
      TraceChecker.verdict(of: "/nowhere.rxtrace").problem?.contains("/nowhere.rxtrace") == true
    )
  }
}
