import Reactive
import ReactiveTesting
import Testing

@Suite struct ExpectMarblesTests {
  @Test func aDifferenceIsReportedWithItsFramesAligned() {
    let here = SourceLocation(
      fileID: "Some/Test.swift",
      filePath: "/Some/Test.swift",
      line: 12,
      column: 3
    )
    withKnownIssue {
      expectMarbles("-1-(23)-|", "-1--2-|", sourceLocation: here) { $0 }
    } matching: { issue in
      issue.sourceLocation?.line == 12
        && issue.comments.map(\.rawValue) == [
          """
          the marbles differ:
          source    -1-(23)-|
          expected  -1-----2-|
          actual    -1-(23)-|
          """
        ]
    }
  }

  @Test func longValuesGetALetterAndAnExplanation() {
    withKnownIssue {
      expectMarbles("-1-2-|", "-1-2-|", where: ["1": "1x"]) { $0.map { $0 + "x" } }
    } matching: { issue in
      issue.comments.map(\.rawValue) == [
        """
        the marbles differ:
        source    -1-2-|
        expected  -1-2-|
        actual    -1-A-|
        A: 2x
        """
      ]
    }
  }

  @Test func aValueNeverStandsForAnotherByChance() {
    let legend: [Character: String] = ["a": "A!", "b": "B!"]
    expectMarbles("-a-b-|", "-a-b-|", where: legend) { $0.map { $0.uppercased() + "!" } }
    withKnownIssue { expectMarbles("-a-b-|", "-a-b-|", where: legend) { $0 } }
    withKnownIssue { expectMarbles("-a-|", "-A-|") { $0.map { $0.uppercased() + "!" } } }
    withKnownIssue {
      expectMarbles("-a-b-|", "-A-A-|") { $0.map { $0 == "a" ? "A" : "long" } }
    }
  }

  @Test func anExtraEventIsADifference() {
    withKnownIssue { expectMarbles("-1-2", "-1") { $0 } }
    withKnownIssue { expectMarbles("-1-|", "-1") { $0 } }
    withKnownIssue { expectMarbles("-1", "-1-|") { $0 } }
    withKnownIssue { expectMarbles("-1-#", "-1-|") { $0 } }
  }

  @Test func aSignalThatDoesNotEndIsCutOff() {
    expectMarbles("1", "1-1-1", where: [:]) { signal, time in
      signal.flatMap { value in
        Signal.interval(.frames(2), on: time).map { _ in value }.startWith(value).take(3)
          .merge(with: .never())
      }
    }
  }

  @Test func aRecorderIsCompared() {
    let time = TestScheduler()
    let seen = time.cold("-1-2-3").take(until: time.cold("----x")).recorded(at: time)
    time.run()
    expectMarbles(seen, "-1-2|")
    withKnownIssue {
      expectMarbles(seen, "-1-|")
    } matching: { issue in
      issue.comments.map(\.rawValue) == [
        """
        the marbles differ:
        expected  -1-|
        actual    -1-2|
        """
      ]
    }
  }
}
