import InspectorUI
import Synchronization
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Which traces are examined, and how often.
@Suite struct TraceJudgeTests {
  /// A judge that works synchronously, and a list of the traces that it has examined.
  private final class Work: Sendable {
    private let paths = Mutex<[String]>([])

    func judge() -> TraceJudge {
      TraceJudge(
        judge: { path in
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
    let judge = work.judge()
    for _ in 0..<3 { judge.ask(about: [past], at: .now + .seconds(100)) }
    #expect(work.done == ["past"])
    #expect(judge.verdicts[past.path] == TraceVerdict())
    #expect(!judge.isBusy)
  }

  @Test func requestedTracesAreExaminedFirst() {
    let work = Work()
    work.judge().ask(about: [app, past])
    #expect(work.done == ["app", "past"])
  }

  @Test func aChangedRecordingIsExaminedAgain() {
    let work = Work()
    let judge = work.judge()
    judge.ask(about: [past])
    var changed = past
    changed.stamp.modified += 1
    judge.ask(about: [changed])
    var other = past
    other.stamp.inode += 1
    judge.ask(about: [other])
    #expect(work.done == ["past", "past", "past"])
  }

  @Test func aRunningProgramIsNotExaminedAgainForAWhile() {
    let work = Work()
    let judge = work.judge()
    let start = ContinuousClock.now
    judge.ask(about: [app], at: start)
    judge.ask(about: [app], at: start + TraceJudge.pause)
    #expect(work.done == ["app"])
    judge.ask(about: [app], at: .now + .seconds(1000))
    #expect(work.done == ["app", "app"])
  }

  @Test func anEndedProgramIsExaminedAtOnce() {
    let work = Work()
    let judge = work.judge()
    judge.ask(about: [app])
    var ended = app
    ended.status = .died
    judge.ask(about: [ended])
    judge.ask(about: [ended])
    #expect(work.done == ["app", "app"])
  }

  @Test func aLargeTraceIsReadOnlyOnRequest() {
    let work = Work()
    let judge = work.judge()
    var large = past
    large.stamp.allocated = TraceJudge.limit + 1
    judge.ask(about: [large])
    #expect(work.done.isEmpty)
    #expect(judge.verdicts[large.path]?.problem?.hasPrefix("It is too large") == true)
  }

  @Test func deletedTracesAreForgotten() {
    let judge = Work().judge()
    judge.ask(about: [past])
    judge.ask(about: [])
    #expect(judge.verdicts.isEmpty)
  }

  @Test func aVerdictIsTheWorstFindingOrTheReasonThatThereIsNone() throws {
    let trace = try WrittenTrace(Story.text)
    let verdict = TraceJudge.verdict(of: trace.path)
    var source = try TraceSource(path: trace.path)
    let worst = try source.inspection(at: .end).findings.first
    #expect(verdict.level == worst?.level)
    #expect(verdict.problem == nil)
    #expect(
      TraceJudge.verdict(of: "/nowhere.rxtrace").problem?.contains("/nowhere.rxtrace") == true
    )
  }
}
