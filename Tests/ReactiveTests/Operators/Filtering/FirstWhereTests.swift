import Reactive
import ReactiveTesting
import Testing

@Suite struct FirstWhereTests {
  @Test func forwardsTheFirstValueThatPasses() {
    expectMarbles("-1-2-3-4-|", "-----(3|)") { $0.first(where: { $0 > "2" }) }
    expectMarbles("-1-2-3-4-|", "-----(2|)") { $0.firstIndex(where: { $0 > "2" }) }
  }

  @Test func isEmptyIfNoValuePasses() {
    expectMarbles("-1-2-|", "-----|") { $0.first(where: { _ in false }) }
    expectMarbles("-1-2-|", "-----|") { $0.firstIndex(where: { _ in false }) }
    expectMarbles("-1-2-#", "-----#") { $0.first(where: { _ in false }) }
    expectMarbles("-1-2-#", "-----#") { $0.firstIndex(where: { _ in false }) }
  }

  @Test func testsNothingAfterTheFirstMatch() {
    let calls = Counter()
    let seen = endless().first(where: { value in calls.add() > 0 && value == 2 }).recorded()
    #expect(seen.events == [.next(2), .completed])
    #expect(calls.value == 3)
    #expect(endless().firstIndex(where: { $0 == 4 }).recorded().values == [4])
  }

  @Test func valuesSentFromInsideTheHandlerAreNotForwarded() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    subject.signal.first(where: { _ in true }).subscribe(
      next: { value in
        seen.next(value)
        subject.send(value + 1)
      },
      completed: { seen.complete() }
    )
    subject.send(1)
    #expect(seen.events == [.next(1), .completed])
  }

  @Test func completionSentFromInsideTheHandlerComesOnce() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    subject.signal.first(where: { _ in true }).subscribe(
      next: { value in
        seen.next(value)
        subject.complete()
      },
      completed: { seen.complete() }
    )
    subject.send(1)
    #expect(seen.events == [.next(1), .completed])
  }

  @Test func eachSubscriptionFindsItsFirstValue() {
    let signal = Signal<Int, Never>.from([5, 6, 7]).firstIndex(where: { $0 == 6 })
    #expect(signal.recorded().values == [1])
    #expect(signal.recorded().values == [1])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("first(where:)", .endsEarly) { $0.first(where: { $0 == 2 }) }
    checkOperatorContract("first(where:)") { $0.first(where: { _ in false }) }
    checkOperatorContract("firstIndex(where:)", .endsEarly) { $0.firstIndex(where: { $0 == 2 }) }
    checkOperatorContract("firstIndex(where:)") { $0.firstIndex(where: { _ in false }) }
  }
}
