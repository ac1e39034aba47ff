import Reactive
import ReactiveTesting
import Testing

@Suite struct DisposableBagTests {
  @Test func disposesOfItsContentsWhenItIsReleased() {
    let subject = Subject<Int, Never>()
    let order = Recorder<String, Never>()
    let seen = Recorder<Int, Never>()
    do {
      let bag = DisposableBag()
      seen.record(subject.signal)
      subject.signal.subscribe { order.next("value \($0)") }.store(in: bag)
      ActionDisposable { order.next("first") }.store(in: bag)
      ActionDisposable { order.next("second") }.store(in: bag)
      subject.send(1)
      #expect(bag.count == 3)
    }
    subject.send(2)
    #expect(order.values == ["value 1", "first", "second"])
    #expect(seen.values == [1, 2])
  }

  @Test func aBagCanBeUsedAgainAfterItWasEmptied() {
    let bag = DisposableBag()
    let first = BooleanDisposable()
    let second = BooleanDisposable()
    bag.add(first)
    bag.empty()
    #expect(first.isDisposed)
    bag.add(second)
    #expect(!second.isDisposed)
    #expect(bag.count == 1)
  }

  @Test func endedDisposablesDoNotAccumulate() {
    let bag = DisposableBag()
    let subject = Subject<Int, Never>()
    let steady = subject.signal.subscribe()
    steady.store(in: bag)
    for _ in 0..<1_000 {
      let short = subject.signal.take(1).subscribe()
      short.store(in: bag)
      subject.send(1)
    }
    #expect(bag.count < 100)
    #expect(!steady.isDisposed)
    bag.empty()
    #expect(steady.isDisposed)
  }

  @Test func workThatHasRunDoesNotAccumulate() {
    let bag = DisposableBag()
    let time = TestScheduler()
    for _ in 0..<1_000 {
      let work = time.schedule {}
      work.store(in: bag)
      #expect(!work.isDisposed)
      time.run()
      #expect(work.isDisposed)
    }
    #expect(bag.count < 100)
  }

  @Test func aDisposableThatHasEndedIsNotHeld() {
    let bag = DisposableBag()
    Signal<Int, Never>.just(1).subscribe().store(in: bag)
    #expect(bag.count == 0)
  }

  @Test func subscriptionsCanBeStoredInACompositeToo() {
    let all = CompositeDisposable()
    let one = BooleanDisposable()
    one.store(in: all)
    all.dispose()
    #expect(one.isDisposed)
    let late = BooleanDisposable()
    late.store(in: all)
    #expect(late.isDisposed)
  }

  @Test func acceptsOptionalDisposables() {
    let runs = Counter()
    let bag = DisposableBag()
    bag += ActionDisposable { runs.add() }
    bag += nil
    #expect(bag.count == 1)
    bag.empty()
    #expect(runs.value == 1)
  }
}
