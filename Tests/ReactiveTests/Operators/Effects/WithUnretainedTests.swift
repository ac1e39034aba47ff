import Reactive
import ReactiveTesting
import Testing

@Suite struct WithUnretainedTests {
  @Test func pairsEachValueWithTheObject() {
    let lives = LifeCount()
    let owner = lives.token()
    expectMarbles("-1-2-|", "-1-2-|") { $0.withUnretained(owner).map { $0.1 } }
    expectMarbles("-1-2-#", "-1-2-#") { $0.withUnretained(owner).map { $0.1 } }
    let seen = Signal<Int, Never>.just(1).withUnretained(owner).recorded()
    #expect(seen.values.first?.0 === owner)
  }

  @Test func theFirstValueAfterTheObjectsReleaseCompletesAndEndsTheSource() {
    let lives = LifeCount()
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-4-|", on: time)
    let seen = Recorder<String, MarbleFailure>(at: time)
    do {
      let owner = lives.token()
      seen.record(source.signal.withUnretained(owner).map { $0.1 })
      time.advance(by: .frames(4))
      withExtendedLifetime(owner) {}
    }
    #expect(lives.count == 0)
    #expect(source.activeCount == 1)
    time.run()
    #expect(seen.events == [.next("1"), .next("2"), .completed])
    #expect(source.subscriptions.map(\.ended) == [.frames(5)])
  }

  @Test func obeysTheOperatorContract() {
    let lives = LifeCount()
    let owner = lives.token()
    checkOperatorContract("withUnretained") { $0.withUnretained(owner) }
    withExtendedLifetime(owner) {}
  }
}
