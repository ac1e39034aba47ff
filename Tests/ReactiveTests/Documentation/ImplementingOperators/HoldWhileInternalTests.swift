import ReactiveTesting
import Testing

@testable import Reactive

@Suite struct HoldWhileInternalTests {
  private static func condition(_ marbles: Signal<String, MarbleFailure>) -> Signal<Bool, Never> {
    marbles.map { $0 == "t" }.catch { _ in Signal<Bool, Never>.empty() }
  }

  @Test(
    arguments: [
      ("-1-2-3----4-|", "---t---f", "-1-----(23)--4-|"),
      ("-1-2-3----4-|", "---t---|", "-1-----(23)--4-|"),
      ("-1-2-3----4-|", "---t---#", "-1-----(23)--4-|"),
      ("-1-2-|", "---t---f", "-1-----(2|)"),
      ("-1-|", "--t---f", "-1-|"),
      ("-1-2-|", "---t---t-f", "-1-------(2|)"),
    ] as [(Marbles, Marbles, Marbles)]
  )
  func holdsWhileTheConditionIsTrue(source: Marbles, condition: Marbles, expected: Marbles) {
    // The condition is subscribed to first, so it changes before a value in the same frame.
    expectMarbles(condition, source, expected) { condition, source in
      source.hold(while: Self.condition(condition))
    }
  }

  @Test func aFailureOvertakesHeldValues() {
    expectMarbles("--t", "-1-2-#", "-1---#") { condition, source in
      source.hold(while: Self.condition(condition))
    }
  }

  @Test func aValueSentWhileHeldValuesAreForwardedFollowsThem() {
    let source = Subject<Int, Never>()
    let condition = Subject<Bool, Never>()
    let seen = Recorder<Int, Never>()
    let subscription = source.signal.hold(while: condition.signal).subscribe { value in
      seen.next(value)
      if value == 1 { source.send(3) }
    }
    condition.send(true)
    source.send(1)
    source.send(2)
    condition.send(false)
    #expect(seen.values == [1, 2, 3])
    subscription.dispose()
  }

  @Test func disposalWhileHeldValuesAreForwardedDropsTheRest() {
    let source = Subject<Int, Never>()
    let condition = Subject<Bool, Never>()
    let seen = source.signal.hold(while: condition.signal).take(1).recorded()
    condition.send(true)
    source.send(1)
    source.send(2)
    condition.send(false)
    #expect(seen.events == [.next(1), .completed])
  }

  @Test func heldValuesAreFreedWithTheSubscription() {
    let lives = LifeCount()
    let source = Subject<LifeCount.Token, Never>()
    let subscription = source.signal.hold(while: .just(true).concat(.never())).subscribe()
    source.send(lives.token())
    #expect(lives.count == 1)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("hold(while:)") { $0.hold(while: .never()) }
    checkOperatorContract("hold(while:)") { $0.hold(while: .just(false)) }
  }

  @Test func obeysTheOperatorContractWhenTraced() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      HoldWhileInternalTests().obeysTheOperatorContract()
    }
  }
}
