import Reactive
import ReactiveTesting
import Testing

@Suite struct MarblesTests {
  @Test func readsFramesValuesAndEnds() {
    let marbles: Marbles = "-1-(2a)-|"
    #expect(
      marbles.items == [
        Marbles.Item(frame: 1, event: .next("1")),
        Marbles.Item(frame: 3, event: .next("2")),
        Marbles.Item(frame: 3, event: .next("a")),
        Marbles.Item(frame: 5, event: .completed),
      ]
    )
    #expect(marbles.frameCount == 6)
    #expect(Marbles("--#").items == [Marbles.Item(frame: 2, event: .failed(MarbleFailure()))])
  }

  @Test func spacesAreIgnored() {
    #expect(Marbles(" - 1 (2 3) | ") == "-1(23)|")
  }

  @Test func framesAfterTheLastEventDoNotCount() {
    #expect(Marbles("-1---") == "-1")
    #expect(Marbles("-1-") != "--1")
  }

  @Test(arguments: ["-1-2-|", "(ab)--#", "", "----", "-(1|)"])
  func aParsedDiagramIsRenderedUnchanged(_ text: String) throws {
    #expect(try "\(Marbles(parsing: text))" == text)
  }

  @Test(
    arguments: [
      ("-1|2", 4, "nothing can follow"),
      ("-(1-2)", 4, "a frame cannot pass"),
      ("((1))", 2, "cannot be nested"),
      ("-1)", 3, "no '('"),
      ("-(12", 4, "')' is missing"),
      ("-1-*", 4, "expected one of"),
    ]
  )
  func aSyntaxErrorNamesTheReasonAndThePosition(_ text: String, _ position: Int, _ reason: String) {
    #expect {
      _ = try Marbles(parsing: text)
    } throws: { error in
      guard let error = error as? MarbleSyntaxError else { return false }
      return error.position == position && "\(error)".contains(reason) && error.text == text
    }
  }

  @Test func aColdSourcePlaysAnewForEachSubscription() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-|", on: time)
    let first = source.signal.recorded(at: time)
    time.advance(by: .frames(2))
    let second = source.signal.recorded(at: time)
    time.run()
    #expect(first.entries.map(\.time) == [.frames(1), .frames(3)])
    #expect(second.entries.map(\.time) == [.frames(3), .frames(5)])
    #expect(
      source.subscriptions == [
        .init(began: .zero, ended: .frames(3)),
        .init(began: .frames(2), ended: .frames(5)),
      ]
    )
  }

  @Test func aHotSourcePlaysOnce() {
    let time = TestScheduler()
    let source = MarbleSource(hot: "-1-2-|", on: time)
    let first = source.signal.recorded(at: time)
    time.advance(by: .frames(2))
    let second = time.hot("a|").merge(with: source.signal).recorded(at: time)
    #expect(source.activeCount == 2)
    time.run()
    #expect(first.values == ["1", "2"])
    #expect(second.values == ["a", "2"])
    #expect(second.isCompleted)
    #expect(source.activeCount == 0)
  }

  @Test func aDiagramWithoutAnEndStaysActive() {
    let time = TestScheduler()
    let cold = time.cold("-1").recorded()
    let hot = time.hot("-1").recorded()
    time.run()
    #expect(cold.values == ["1"])
    #expect(hot.values == ["1"])
    #expect(!cold.isDisposed)
    #expect(!hot.isDisposed)
    cold.dispose()
    hot.dispose()
  }

  @Test func valuesOfAnyTypeArePlayedByCharacter() {
    let time = TestScheduler()
    let cold = time.cold("-a-b-|", where: ["a": 1, "b": 2]).recorded(at: time)
    let hot = time.hot("-a-#", where: ["a": [1]], failure: TestFailure(code: 7)).recorded(at: time)
    time.run()
    #expect(cold.events == [.next(1), .next(2), .completed])
    #expect(hot.events == [.next([1]), .failed(TestFailure(code: 7))])
    #expect(cold.entries.map(\.time) == [.frames(1), .frames(3), .frames(5)])
  }

  @Test func aSourceOfAnyTypeRecordsItsSubscriptions() {
    let time = TestScheduler()
    let source = MarbleSource(hot: "-a-|", on: time, where: ["a": 1])
    let seen = source.signal.take(1).recorded()
    time.run()
    #expect(seen.values == [1])
    #expect(source.subscriptions == [.init(began: .zero, ended: .frames(1))])
  }

  @Test func aMissingValueOrFailureTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = TestScheduler().cold("-a-b", where: ["a": 1])
    }
    await #expect(processExitsWith: .failure) {
      _ = TestScheduler().cold("-a-#", where: ["a": 1])
    }
  }
}
