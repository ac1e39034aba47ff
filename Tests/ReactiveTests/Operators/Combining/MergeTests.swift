import Reactive
import ReactiveTesting
import Testing

@Suite struct MergeTests {
  @Test func forwardsValuesAsTheyArrive() {
    expectMarbles("-1---2-|", "---3-----4-|", "-1-3-2---4-|") { merge($0, $1) }
    expectMarbles("-1---2-|", "---3-----4-|", "-1-3-2---4-|") { $0.merge(with: $1) }
  }

  @Test func inTheSameFrameTheFirstSignalIsFirst() {
    expectMarbles("-1-|", "-2-|", "-(12)-|") { .merge([$0, $1]) }
  }

  @Test func theFirstFailureEndsAll() {
    expectMarbles("-1-----|", "---#", "-1-#") { merge($0, $1) }
  }

  @Test func mergingNothingCompletesAtOnce() {
    #expect(Signal<Int, Never>.merge([]).recorded().events == [.completed])
  }

  @Test func anySequenceOfSignalsCanBeMerged() {
    let signals = (1...3).map { Signal<Int, Never>.just($0) }
    #expect(
      Signal.merge(signals.dropFirst()).recorded().events == [.next(2), .next(3), .completed]
    )
    #expect(Signal.merge(signals.prefix(0)).recorded().events == [.completed])
  }

  @Test func anEndlessSequenceIsNotAskedForSignalsAfterTheEnd() {
    let seen = Signal.merge(repeatElement(Signal<Int, Never>.just(7), count: .max)).take(3)
      .recorded()
    #expect(seen.events == [.next(7), .next(7), .next(7), .completed])
    let failing = Signal.merge(
      repeatElement(Signal<Int, TestFailure>.failed(TestFailure()), count: .max)
    )
    #expect(failing.recorded().events == [.failed(TestFailure())])
  }

  @Test func aFailureKeepsLaterSignalsFromBeingSubscribedTo() {
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
    checkOperatorContract("merge") { Signal.merge([$0, .empty()].prefix(2)) }
  }
}
