import Reactive
import ReactiveTesting
import Testing

@Suite struct CombineLatestManyTests {
  // MARK: A list

  @Test func aListSendsArraysOnceAllHaveSent() {
    expectMarbles(
      "-1---2------|",
      "---a---b-|",
      "---A-B-C----|",
      where: ["A": "1a", "B": "2a", "C": "2b"]
    ) { combineLatest([$0, $1]).map { $0.joined() } }
  }

  @Test func aListCompletesWhenAllHave() {
    expectMarbles("|", "--|", "--|") { combineLatest([$0, $1]).map { $0.joined() } }
    expectMarbles("-1-|", "--------|", "--------|") { combineLatest([$0, $1]).map { $0.joined() } }
  }

  @Test func aFailureIsForwardedAtOnce() {
    expectMarbles("-1-#", "--a----|", "--A#", where: ["A": "1a"]) {
      combineLatest([$0, $1]).map { $0.joined() }
    }
  }

  @Test func waitingValuesAreNotCombinedAfterDisposal() {
    let first = Subject<Int, Never>()
    let second = Subject<Int, Never>()
    let seen = Recorder<[Int], Never>()
    let held = SerialDisposable()
    held.inner = combineLatest([first.signal, second.signal]).subscribe { values in
      seen.next(values)
      first.send(1)
      held.dispose()
    }
    first.send(0)
    second.send(0)
    #expect(seen.values == [[0, 0]])
  }

  @Test func anEmptyListCompletes() {
    #expect(combineLatest([Signal<Int, Never>]()).recorded().events == [.completed])
  }

  @Test func oneSignalSendsArraysOfOne() {
    #expect(
      combineLatest([Signal<Int, Never>.just(1)]).recorded().events == [.next([1]), .completed]
    )
  }

  @Test func aFirstSignalThatFailsAtOnceKeepsTheOthersFromBeingSubscribedTo() {
    let time = TestScheduler()
    let second = MarbleSource(cold: "-1-|", on: time)
    let failed = Signal<String, MarbleFailure>.failed(MarbleFailure())
    #expect(combineLatest([failed, second.signal]).recorded().failure != nil)
    #expect(second.subscriptions.isEmpty)
  }

  @Test func nilIsAValue() {
    let none = Signal<Int?, Never>.just(nil)
    #expect(combineLatest([none, none]).recorded().events == [.next([nil, nil]), .completed])
  }

  @Test func aValueSentFromInsideADeliveryFollowsIt() {
    let a = Subject<Int, Never>()
    let b = Subject<Int, Never>()
    let seen = Recorder<[Int], Never>()
    let subscription = combineLatest([a.signal, b.signal]).subscribe { values in
      if values == [1, 1] {
        b.send(2)
        a.send(3)
        b.complete()
      }
      seen.next(values)
    }
    a.send(1)
    b.send(1)
    #expect(seen.values == [[1, 1], [3, 1], [3, 2]])
    subscription.dispose()
  }

  @Test func endsWithoutAnEventWhenNoneCanSend() {
    let a = Box<Subject<Int, Never>>(Subject())
    let b = Box<Subject<Int, Never>>(Subject())
    let signals = [a.value, b.value].compactMap { $0?.signal }
    let seen = combineLatest(signals).recorded()
    a.value = nil
    #expect(!seen.isDisposed)
    b.value = nil
    #expect(seen.isDisposed)
    #expect(seen.events.isEmpty)
  }

  @Test func theLatestValuesAreFreed() {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    let seen = Counter()
    let subscription = combineLatest([subject.signal, .never()]).subscribe { _ in seen.add() }
    subject.send(lives.token())
    #expect(lives.count == 1)
    subscription.dispose()
    #expect(lives.count == 0)
    #expect(seen.value == 0)
  }

  // MARK: Different types

  @Test func aTransformTakesAnyNumberOfSignals() {
    let seen = combineLatest(
      Signal<Int, Never>.just(1),
      Signal<String, Never>.just("a"),
      Signal<Double, Never>.from([2, 3]),
      transform: { "\($0)\($1)\(Int($2))" }
    )
    .recorded()
    #expect(seen.events == [.next("1a2"), .next("1a3"), .completed])
  }

  @Test func fiveAndSixSignalsGiveTuples() {
    let one = Signal<Int, Never>.just(1)
    let many = Signal<Int, Never>.from([3, 4])
    let five = combineLatest(one, one, one, one, many)
      .map { [$0.0, $0.1, $0.2, $0.3, $0.4] }.recorded()
    #expect(five.events == [.next([1, 1, 1, 1, 3]), .next([1, 1, 1, 1, 4]), .completed])
    let six = combineLatest(one, one, one, one, one, many)
      .map { a, b, c, d, e, f in [a, b, c, d, e, f] }.recorded()
    #expect(six.events == [.next([1, 1, 1, 1, 1, 3]), .next([1, 1, 1, 1, 1, 4]), .completed])
  }

  @Test func itsDescriptionShowsOneOperator() {
    let a = Signal<Int, Never>.never().named("a")
    #expect(combineLatest(a, a, a, a, a).description == "combineLatest(a, a, a, a, a)")
    #expect(combineLatest([a, a]).description == "combineLatest([a, a])")
    #expect(combineLatest(a, a, transform: { $0 + $1 }).description == "combineLatest(a, a, …)")
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("combineLatest") { combineLatest([$0, $0]) }
    checkOperatorContract("combineLatest") { combineLatest($0, $0, transform: { $0 + $1 }) }
    checkOperatorContract("combineLatest") { combineLatest($0, $0, $0, $0, $0) }
    checkOperatorContract("combineLatest") { combineLatest($0, $0, $0, $0, $0, $0) }
  }
}
