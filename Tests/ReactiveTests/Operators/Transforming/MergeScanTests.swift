import Reactive
import ReactiveTesting
import Testing

@Suite struct MergeScanTests {
  @Test func theLastResultIsCombinedWithTheNextValue() {
    expectMarbles("-1-2-3-|", "-1-b-c-|", where: ["b": "12", "c": "123"]) {
      $0.mergeScan("") { .just($0 + $1) }
    }
    // The second value arrives before the first result.
    expectMarbles("-12------|", "---1-2---|") { signal, time in
      signal.mergeScan("") { sum, value in
        time.cold(value == "1" ? "--x|" : "---x|").map { _ in sum + value }
      }
    }
  }

  @Test func theInitialResultIsNotSent() {
    expectMarbles("--|", "--|") { $0.mergeScan("0") { .just($0 + $1) } }
    expectMarbles("--|", "--|") { $0.switchScan("0") { .just($0 + $1) } }
    expectMarbles("--#", "--#") { $0.mergeScan("0") { .just($0 + $1) } }
    expectMarbles("--#", "--#") { $0.switchScan("0") { .just($0 + $1) } }
  }

  @Test func severalSignalsRunAtTheSameTime() {
    expectMarbles("1--2-----|", "-1--1b--b|", where: ["b": "12"]) { signal, time in
      signal.mergeScan("") { sum, value in
        (value == "1" ? time.cold("-x--x|") : time.cold("--x--x|")).map { _ in sum + value }
      }
    }
  }

  @Test func eachNewSignalEndsTheOneBefore() {
    let time = TestScheduler()
    let ticks = MarbleSource(cold: "-x-x-x-x-x-x", on: time)
    let seen = time.cold("1----1---|")
      .switchScan(0) { sum, _ in ticks.signal.map { _ in sum + 1 } }
      .recorded(at: time)
    time.advance(by: .frames(10))
    #expect(ticks.subscriptions.map(\.ended) == [.frames(5), nil])
    #expect(seen.values == [1, 1, 2, 2, 2])
    seen.dispose()
  }

  @Test func completesAfterTheSourceAndTheLatestSignal() {
    expectMarbles("1-1|", "----x|") { signal, time in
      signal.switchScan("") { _, _ in time.cold("--x|") }
    }
    expectMarbles("1-1|", "--x-x|") { signal, time in
      signal.mergeScan("") { _, _ in time.cold("--x|") }
    }
  }

  @Test func aFailureOfAnInnerSignalEndsAll() {
    expectMarbles("1-1--|", "---#") { signal, time in
      signal.mergeScan("") { _, _ in time.cold("---#") }
    }
    expectMarbles("1-1--|", "-----#") { signal, time in
      signal.switchScan("") { _, _ in time.cold("---#") }
    }
  }

  @Test func endlessSignalsCanBeEnded() {
    let source = Signal<Int, Never>.from([1, 2])
    #expect(source.mergeScan(0) { _, _ in endless() }.take(3).recorded().values == [0, 1, 2])
    #expect(source.switchScan(0) { _, _ in endless() }.take(3).recorded().values == [0, 1, 2])
    #expect(endless().mergeScan(0) { .just($0 + $1) }.take(4).recorded().values == [0, 1, 3, 6])
  }

  @Test func aValueSentFromInsideADeliveryIsCombinedWithTheDeliveredResult() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let subscription = subject.signal.mergeScan(0) { .just($0 + $1) }.subscribe { sum in
      seen.next(sum)
      if sum < 4 { subject.send(1) }
    }
    subject.send(1)
    #expect(seen.values == [1, 2, 3, 4])
    subscription.dispose()
  }

  @Test func eachSubscriptionBeginsAnew() {
    let source = Signal<Int, Never>.from([1, 2])
    let merged = source.mergeScan(0) { .just($0 + $1) }
    let switched = source.switchScan(0) { .just($0 + $1) }
    for signal in [merged, merged, switched, switched] {
      #expect(signal.recorded().values == [1, 3])
    }
  }

  @Test(arguments: [true, false]) func theResultIsFreed(isMerge: Bool) {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    let signal = subject.signal
    let tokens: Signal<[LifeCount.Token], Never> =
      isMerge
      ? signal.mergeScan([]) { .just($0 + [$1]) } : signal.switchScan([]) { .just($0 + [$1]) }
    let subscription = tokens.subscribe()
    subject.send(lives.token())
    subject.send(lives.token())
    #expect(lives.count == 2)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("mergeScan") { source in source.mergeScan(0) { .just($0 + $1) } }
    checkOperatorContract("switchScan") { source in source.switchScan(0) { .just($0 + $1) } }
  }
}
