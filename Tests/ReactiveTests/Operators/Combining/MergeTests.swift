import Reactive
import ReactiveTesting
import Testing

@Suite struct MergeTests {
  @Test func forwardsValuesAsTheyCome() {
    expectMarbles("-1---2-|", "---3-----4-|", "-1-3-2---4-|") { merge($0, $1) }
    expectMarbles("-1---2-|", "---3-----4-|", "-1-3-2---4-|") { $0.merge(with: $1) }
  }

  @Test func inOneFrameTheFirstComesFirst() {
    expectMarbles("-1-|", "-2-|", "-(12)-|") { .merge([$0, $1]) }
  }

  @Test func theFirstFailureEndsAll() {
    expectMarbles("-1-----|", "---#", "-1-#") { merge($0, $1) }
  }

  @Test func mergingNothingCompletesAtOnce() {
    #expect(Signal<Int, Never>.merge([]).recorded().events == [.completed])
  }

  @Test func aFailureKeepsLaterOnesFromBeingSubscribedTo() {
    let time = TestScheduler()
    let later = MarbleSource(cold: "-1-|", on: time)
    let seen = Signal<String, MarbleFailure>.failed(MarbleFailure()).merge(with: later.signal)
      .recorded()
    #expect(seen.failure != nil)
    #expect(later.subscriptions.isEmpty)
  }

  @Test func aFailureDisposesOfTheOthers() {
    let time = TestScheduler()
    let other = MarbleSource(cold: "-1-2-3-4-|", on: time)
    _ = other.signal.merge(with: time.cold("--#")).recorded()
    time.run()
    #expect(other.subscriptions.map(\.ended) == [.frames(2)])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("merge") { $0.merge(with: .empty()) }
    checkOperatorContract("merge") { merge($0, $0) }
  }
}
