import Reactive
import ReactiveTesting
import Testing

@Suite struct TakeForTests {
  @Test func forwardsValuesForTheGivenTime() {
    expectMarbles("-1-2-3-4-|", "-1-2-3|") { signal, time in signal.take(for: .frames(6), on: time)
    }
    expectMarbles("---------|", "------|") { signal, time in signal.take(for: .frames(6), on: time)
    }
  }

  @Test func endsAsItsSourceDoesIfThatIsEarlier() {
    expectMarbles("-1-|", "-1-|") { signal, time in signal.take(for: .frames(6), on: time) }
    expectMarbles("-1-#", "-1-#") { signal, time in signal.take(for: .frames(6), on: time) }
  }

  @Test func endsItsSourceAndItsTimer() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-------", on: time)
    let seen = source.signal.take(for: .frames(2), on: time).recorded()
    time.advance(by: .frames(2))
    #expect(source.activeCount == 0)
    #expect(seen.isCompleted)
    let other = Subject<Int, Never>()
    let early = other.signal.take(for: .seconds(9), on: time).recorded()
    other.complete()
    #expect(early.isCompleted)
    #expect(time.pendingCount == 0)
  }

  @Test func withATimeOfZeroItForwardsValuesSentDuringSubscription() {
    let time = TestScheduler()
    let source = Signal<Int, Never>.from([1, 2]).concat(.never())
    let seen = source.take(for: .zero, on: time).recorded()
    #expect(seen.events == [.next(1), .next(2)])
    time.run()
    #expect(seen.isCompleted)
  }

  @Test func withATimeOfZeroOnASchedulerThatRunsAtOnceItDoesNotSubscribe() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "(12)-|", on: time)
    #expect(source.signal.take(for: .zero, on: .immediate).recorded().events == [.completed])
    #expect(source.subscriptions.isEmpty)
  }

  @Test func skipForSkipsValuesForTheGivenTime() {
    expectMarbles("-1-2-3-4-|", "-----3-4-|") { signal, time in
      signal.skip(for: .frames(4), on: time)
    }
    expectMarbles("-1-|", "---|") { signal, time in signal.skip(for: .frames(4), on: time) }
    expectMarbles("-1-#", "---#") { signal, time in signal.skip(for: .frames(4), on: time) }
    expectMarbles("(12)-3|", "(12)-3|") { signal, time in signal.skip(for: .zero, on: time) }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("take(for:)", [.endsEarly, .outlivesSource]) { signal, time in
      signal.take(for: .seconds(1), on: time)
    }
    let still = TestScheduler()
    checkOperatorContract("take(for:)", [.outlivesSource]) { $0.take(for: .seconds(1), on: still) }
    checkOperatorContract("skip(for:)") { $0.skip(for: .zero, on: still) }
    checkOperatorContract("skip(for:)") { $0.skip(for: .seconds(1), on: still) }
  }
}
