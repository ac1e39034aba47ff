import Reactive
import ReactiveTesting
import Testing

@Suite struct SampleTests {
  @Test func forwardsTheLatestWheneverTheSamplerSends() {
    expectMarbles("-1-2------3-|", "--x---x-x---x-|", "--1---2-2---|") { $0.sample(on: $1) }
  }

  @Test func sendsNothingBeforeTheFirstValue() {
    expectMarbles("----1----|", "--x---x--|", "------1--|") { $0.sample(on: $1) }
  }

  @Test func theEndOfEitherEndsIt() {
    expectMarbles("-1-------|", "--x-|", "--1-|") { $0.sample(on: $1) }
    expectMarbles("-1-------|", "--x-#", "--1-#") { $0.sample(on: $1) }
    expectMarbles("-1-|", "--x-x-x-|", "--1|") { $0.sample(on: $1) }
    expectMarbles("-1-#", "--x-x-x-|", "--1#") { $0.sample(on: $1) }
  }

  @Test func forwardsTheLatestValueAtAFixedInterval() {
    expectMarbles("-1-2---------3-|", "----2---2---2--|") { signal, time in
      signal.sample(every: .frames(4), on: time)
    }
    expectMarbles("-1-#", "---#") { signal, time in
      signal.sample(every: .frames(4), on: time)
    }
  }

  @Test func aSignalOfAnotherFailureTypeCanSample() {
    let ticks = Subject<Void, Never>()
    let failing = Subject<Int, TestFailure>()
    let infallible = Subject<Int, Never>()
    let first = failing.signal.sample(on: ticks.signal).recorded()
    let second = infallible.signal.sample(on: ticks.signal).recorded()
    failing.send(1)
    infallible.send(2)
    ticks.send()
    ticks.send()
    ticks.complete()
    #expect(first.events == [.next(1), .next(1), .completed])
    #expect(second.events == [.next(2), .next(2), .completed])
  }

  @Test func endsWithoutAnEventWhenItsSamplerIsGone() {
    let source = Subject<Int, Never>()
    let seen = source.signal.sample(on: Subject<Int, Never>().signal).recorded()
    source.send(1)
    #expect(seen.isDisposed)
    #expect(seen.events.isEmpty)
  }

  @Test func aTickSentFromInsideADeliveryFollowsIt() {
    let source = Subject<Int, Never>()
    let ticks = Subject<Void, Never>()
    let seen = Recorder<String, Never>()
    let subscription = source.signal.sample(on: ticks.signal).subscribe { value in
      seen.next("begin \(value)")
      if value == 1 {
        source.send(2)
        ticks.send()
      }
      seen.next("end \(value)")
    }
    source.send(1)
    ticks.send()
    #expect(seen.values == ["begin 1", "end 1", "begin 2", "end 2"])
    subscription.dispose()
  }

  @Test func freesTheLatestValue() {
    expectHeldValuesToBeFreed { signal, time in signal.sample(on: Signal<Int, Never>.never()) }
    expectHeldValuesToBeFreed { signal, time in signal.sample(every: .seconds(1), on: time) }
  }

  @Test func anIntervalOfZeroTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Signal<Int, Never>.never().sample(every: .zero, on: TestScheduler())
    }
  }

  @Test func pairsTheLatestValueWithTheSamplersValue() {
    expectMarbles(
      "-1-2------3-|",
      "--a---b-c---d-|",
      "--A---B-C---|",
      where: ["A": "(\"1\", \"a\")", "B": "(\"2\", \"b\")", "C": "(\"2\", \"c\")"]
    ) { $0.sample(with: $1) }
    expectMarbles("----1-|", "--a-|", "----|") { $0.sample(with: $1) }
    expectMarbles("-1-#", "--a-|", "--A#", where: ["A": "(\"1\", \"a\")"]) { $0.sample(with: $1) }
  }

  @Test func pairsWithASignalOfAnotherFailureType() {
    let ticks = Subject<Int, Never>()
    let failing = Subject<Int, TestFailure>()
    let seen = failing.signal.sample(with: ticks.signal).map { $0 * 10 + $1 }.recorded()
    failing.send(1)
    ticks.send(2)
    ticks.complete()
    #expect(seen.events == [.next(12), .completed])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("sample(with:)") { $0.sample(with: Signal<Int, Never>.never()) }
    checkOperatorContract("sample(with:)") { $0.sample(with: Signal<Int, ContractFailure>.never()) }
    checkOperatorContract("sample(on:)") { $0.sample(on: Signal<Int, Never>.never()) }
    checkOperatorContract("sample(on:)") { $0.sample(on: Signal<Int, ContractFailure>.never()) }
    let still = TestScheduler()
    checkOperatorContract("sample(every:)") { $0.sample(every: .seconds(1), on: still) }
  }
}
