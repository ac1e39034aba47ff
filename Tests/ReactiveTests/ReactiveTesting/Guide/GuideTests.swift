import Foundation
import Reactive
import ReactiveTesting
import Testing

/// Tries the examples in the guide to ReactiveTesting, without `@testable`.
@Suite struct GuideTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  private static func guide() throws -> String {
    let page = "../../../../Sources/ReactiveTesting/ReactiveTesting.docc/ReactiveTesting.md"
    return try String(contentsOf: folder.appending(path: page), encoding: .utf8)
  }

  @Test func theExampleIsTheOneThatIsCompiled() throws {
    let example = try String(
      contentsOf: Self.folder.appending(path: "SearchTests.swift"),
      encoding: .utf8
    )
    #expect(try Self.guide().contains("```swift\n\(example)```\n"))
  }

  @Test func theFailureItShowsIsTheOneThatIsReported() throws {
    let issues = Recorder<String, Never>()
    withKnownIssue {
      let time = TestScheduler()
      let seen = time.cold("-1-(23)-|").recorded(at: time)
      time.run()
      expectMarbles(seen, "-1-23-|")
    } matching: { issue in
      for comment in issue.comments { issues.next(comment.rawValue) }
      return true
    }
    let text = try #require(issues.values.first)
    #expect(try Self.guide().contains("```\n\(text)\n```\n"))
  }

  @Test func theLeakItShowsIsTheOneThatIsReported() async throws {
    await #expect(processExitsWith: .success) {
      let text = try GuideTests.leak()
      let shown = text.replacing(/\w+\.swift:\d+/, with: "Screen.swift:12")
      #expect(try GuideTests.guide().contains("```\n\(shown)\n```\n"))
    }
  }

  private static func leak() throws -> String {
    let feed = Subject<Int, Never>()
    feed.signal.subscribe()
    let issues = Recorder<String, Never>()
    let forgotten = SerialDisposable()
    withKnownIssue {
      assertNoLeaks { forgotten.inner = Signal<Int, Never>.never().subscribe() }
    } matching: { issue in
      for comment in issue.comments { issues.next(comment.rawValue) }
      return true
    }
    forgotten.dispose()
    return try #require(issues.values.first)
  }

  // MARK: Examples

  /// An example of a user's operator, composed of others.
  private static func firstWords(
    _ source: Signal<String, ParseFailure>
  ) -> Signal<String, ParseFailure> {
    source.filter { !$0.isEmpty }.map { String($0.prefix { $0 != " " }) }
  }

  private struct ParseFailure: Error, Equatable {}

  @Test func valuesAndFailuresOfAnyTypeArePlayed() {
    let time = TestScheduler()
    let lines = time.cold("-a-b-#", where: ["a": "one two", "b": ""], failure: ParseFailure())
    let seen = Self.firstWords(lines).recorded(at: time)
    time.run()
    expectMarbles(seen, "-1---#", where: ["1": "one"])
    #expect(seen.failure == ParseFailure())
  }

  @Test func aComposedOperatorIsCheckedWithoutAName() {
    checkOperatorContract { source in source.map { $0 + 1 }.filter { $0 > 2 } }
  }

  @Test func timeCanBeMovedByStepsByDurationsAndToTheEnd() {
    let time = TestScheduler()
    let ticks = Signal.interval(.seconds(1), on: time).take(4).recorded(at: time)
    time.step()
    #expect(ticks.values == [0])
    time.advance(by: .seconds(1))
    #expect(ticks.values == [0, 1])
    time.advance(to: .seconds(3))
    #expect(ticks.values == [0, 1, 2])
    time.run()
    #expect(ticks.entries.map(\.time) == [1, 2, 3, 4, 4].map { .seconds($0) })
    #expect(ticks.isCompleted)
  }
}
