import Reactive
import ReactiveTesting
import Testing

@Suite struct LiftTests {
  private final class Board: Sendable {
    let shown = Recorder<String, Never>()
    func show(_ title: String, _ score: Int) -> Int {
      shown.next("\(title): \(score)")
      return shown.count
    }
    func clear(_ nothing: Void) { shown.next("clear") }
  }

  private final class Pane: LifetimeProviding, Sendable {
    private let token = Lifetime.Token()
    var lifetime: Lifetime { token.lifetime }
    func show(_ score: Int) -> Int { score * 2 }
  }

  @Test func callsTheMethodOnceAllArgumentsHaveAValueAndThenForEachChange() {
    let board = Board()
    let title = MutableProperty("A")
    let score = Subject<Int, Never>()
    let results = lift(Board.show, on: board, title.signal, score.signal)
    #expect(board.shown.values == [])
    score.send(1)
    title.value = "B"
    let late = results.recorded()
    score.send(2)
    #expect(board.shown.values == ["A: 1", "B: 1", "B: 2"])
    #expect(late.values == [2, 3])
  }

  @Test func callsTheMethodWithOrWithoutSubscribers() {
    let board = Board()
    let presses = Subject<Void, Never>()
    lift(Board.clear, on: board, presses.signal)
    presses.send()
    #expect(board.shown.values == ["clear"])
  }

  @Test func completesWithItsArgumentsAndFailsWithAny() {
    let board = Board()
    let done = lift(Board.show, on: board, .just("A"), Signal<Int, TestFailure>.from([1, 2]))
    #expect(done.recorded().events == [.next(2), .completed])
    let failed = lift(
      Board.show,
      on: board,
      .just("A"),
      Signal<Int, TestFailure>.failed(TestFailure())
    )
    #expect(failed.recorded().events == [.failed(TestFailure())])
  }

  @Test func theObjectIsNotRetainedAndTheSignalEndsAtTheNextValueAfterItsRelease() {
    let score = Subject<Int, Never>()
    var board: Board? = Board()
    weak let held = board
    let results = board.map { lift(Board.show, on: $0, .just("A"), score.signal) }
    let seen = results?.recorded()
    score.send(1)
    board = nil
    #expect(held == nil)
    #expect(seen?.hasEnded == false)
    score.send(2)
    #expect(seen?.events == [.next(1), .completed])
  }

  @Test func endsAtOnceWithAnObjectThatHasALifetime() {
    let score = Subject<Int, Never>()
    let lives = LifeCount()
    let note = Box(lives.token())
    var pane: Pane? = Pane()
    let source = score.signal.doNext { [note = note.value] _ in note?.touch() }
    let seen = pane.map { lift(Pane.show, on: $0, source) }?.recorded()
    score.send(1)
    pane = nil
    #expect(seen?.events == [.next(2), .completed])
  }

  @Test func aMethodMaySetItsArgument() {
    final class Clamp: Sendable {
      let level = MutableProperty(0)
      func limit(_ value: Int) -> Int {
        if value > 10 { level.value = 10 }
        return value
      }
    }
    let clamp = Clamp()
    let seen = lift(Clamp.limit, on: clamp, clamp.level.signal).recorded()
    clamp.level.value = 50
    #expect(clamp.level.value == 10)
    #expect(seen.values == [0, 50, 10])
  }

  @Test func nothingIsHeldAfterTheEnd() {
    let score = Subject<LifeCount.Token, Never>()
    let lives = LifeCount()
    final class Taker: Sendable { func take(_ token: LifeCount.Token) {} }
    let taker = Taker()
    lift(Taker.take, on: taker, score.signal)
    score.send(lives.token())
    #expect(lives.count == 1)
    score.complete()
    #expect(lives.count == 0)
  }

  @Test func argumentsOfEightThreadsCallTheMethodOneAtATime() {
    final class Tally: Sendable {
      let inside = Counter()
      let calls = Counter()
      func note(_ first: Int, _ second: Int) {
        #expect(inside.add() == 1)
        calls.add()
        inside.add(-1)
      }
    }
    let tally = Tally()
    let first = Subject<Int, Never>()
    let second = Subject<Int, Never>()
    lift(Tally.note, on: tally, first.signal, second.signal)
    first.send(0)
    second.send(0)
    let rounds = scaledCount(500)
    onPlainThreads(8) { index in
      for round in 0..<rounds { (index % 2 == 0 ? first : second).send(round) }
    }
    #expect(tally.calls.value == 8 * rounds + 1)
  }

  /// The source of `lift` is the signal of the arguments for the lifted method.
  ///
  /// `lift` subscribes to it once, even if the result has no subscribers.
  @Test func obeysTheOperatorContract() {
    final class Target: Sendable { func same(_ value: Int) -> Int { value } }
    let target = Target()
    checkOperatorContract("lift", .sharesSource) { lift(Target.same, on: target, $0) }
  }
}

extension MainQueueTests {
  @Suite(.serialized) struct MainActorLiftTests {
    @MainActor private final class Label {
      var text = ""
    }

    @MainActor @Test func callsOnTheMainActorAndEndsWithTheObject() {
      let title = MutableProperty("A")
      let score = MutableProperty(1)
      var label: Label? = Label()
      weak let held = label
      let results = label.map { label in
        lift(onMainActor: label, title.signal, score.signal) { label, title, score in
          label.text = "\(title): \(score)"
          return score
        }
      }
      let seen = results?.recorded()
      score.value = 2
      #expect(label?.text == "A: 2")
      label = nil
      #expect(held == nil)
      title.value = "B"
      #expect(seen?.events == [.next(1), .next(2), .completed])
    }
  }
}
