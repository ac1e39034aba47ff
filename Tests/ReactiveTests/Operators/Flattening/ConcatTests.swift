import Reactive
import ReactiveTesting
import Testing

@Suite struct ConcatTests {
  @Test func theOtherFollowsCompletion() {
    expectMarbles("-1-2-|", "-3-|", "-1-2--3-|") { $0.concat($1) }
  }

  @Test func theOtherIsNotSubscribedToAfterAFailure() {
    let time = TestScheduler()
    let other = MarbleSource(cold: "-3-|", on: time)
    let seen = time.cold("-1-#").concat(other.signal).recorded(at: time)
    time.run()
    #expect(seen.failure != nil)
    #expect(other.subscriptions.isEmpty)
  }

  @Test func signalsFollowInTheOrderTheyCame() {
    let inner: [String: Marbles] = ["a": "-1-2-|", "b": "-3-4-|"]
    expectMarbles("a-b-|", "-1-2--3-4-|") { signal, time in
      signal.map { time.cold(inner[$0] ?? "|") }.concat()
    }
  }

  @Test func onlyOneSignalIsSubscribedToAtATime() {
    let time = TestScheduler()
    let inner = MarbleSource(cold: "--1|", on: time)
    _ = time.cold("aaa|").map { _ in inner.signal }.concat().recorded()
    time.run()
    #expect(inner.subscriptions.map(\.began) == [.zero, .frames(3), .frames(6)])
    #expect(inner.subscriptions.map(\.ended) == [.frames(3), .frames(6), .frames(9)])
  }

  @Test func aFailureOfTheOuterSignalEndsTheInnerOne() {
    let time = TestScheduler()
    let inner = MarbleSource(cold: "-1-1-1-1", on: time)
    let seen = time.cold("a---#").map { _ in inner.signal }.concat().recorded()
    time.run()
    #expect(seen.values == ["1", "1"])
    #expect(seen.failure != nil)
    #expect(inner.activeCount == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("concat") { $0.concat(.empty()) }
    checkOperatorContract("concat") { source in source.map { .just($0) }.concat() }
  }
}
