import Reactive
import ReactiveTesting
import Testing

@Suite struct ZipManyTests {
  // MARK: A list

  @Test func aListSendsTheNthValuesOfAllSignalsAsOneGroup() {
    expectMarbles("-1-2-----3-|", "---a-b-|", "---A-B-|", where: ["A": "1a", "B": "2b"]) {
      zip([$0, $1]).map { $0.joined() }
    }
  }

  @Test func completesAsSoonAsNoFurtherGroupIsPossible() {
    expectMarbles("-1-|", "-----a-b-c", "-----(A|)", where: ["A": "1a"]) {
      zip([$0, $1]).map { $0.joined() }
    }
    expectMarbles("--|", "-a-----", "--|") { zip([$0, $1]).map { $0.joined() } }
  }

  @Test func aFailureOvertakesWaitingValues() {
    expectMarbles("-1-2-3-#", "---------a", "-------#") { zip([$0, $1]).map { $0.joined() } }
  }

  @Test func waitingValuesAreNotGroupedAfterDisposal() {
    let first = Subject<Int, Never>()
    let second = Subject<Int, Never>()
    let seen = Recorder<[Int], Never>()
    let held = SerialDisposable()
    held.inner = zip([first.signal, second.signal]).subscribe { values in
      seen.next(values)
      first.send(1)
      held.dispose()
    }
    first.send(0)
    second.send(0)
    #expect(seen.values == [[0, 0]])
  }

  @Test func anEmptyListCompletes() {
    #expect(zip([Signal<Int, Never>]()).recorded().events == [.completed])
  }

  @Test func oneSignalSendsArraysOfOne() {
    let seen = zip([Signal<Int, Never>.from([1, 2])]).recorded()
    #expect(seen.events == [.next([1]), .next([2]), .completed])
  }

  @Test func endlessSignalsAreGroupedUntilTheyAreEndedFromDownstream() {
    let time = TestScheduler()
    let ticks = Signal.interval(.frames(1), on: time)
    let seen = zip([ticks, ticks, ticks]).take(2).recorded()
    time.advance(by: .frames(5))
    #expect(seen.events == [.next([0, 0, 0]), .next([1, 1, 1]), .completed])
    #expect(time.pendingCount == 0)
  }

  @Test func valuesThatWaitWhenAnInputIsGoneAreUsed() {
    let a = Box<Subject<Int, Never>>(Subject())
    let b = Subject<Int, Never>()
    let signals = [a.value?.signal, b.signal].compactMap { $0 }
    let seen = zip(signals).recorded()
    a.value?.send(1)
    a.value = nil
    #expect(!seen.isDisposed)
    b.send(2)
    #expect(seen.events == [.next([1, 2])])
    #expect(seen.isDisposed)
  }

  @Test func endsWithoutAnEventWhenAnInputThatHasSentNothingIsGone() {
    let a = Box<Subject<Int, Never>>(Subject())
    let b = Subject<Int, Never>()
    let seen = zip([a.value?.signal, b.signal].compactMap { $0 }).recorded()
    b.send(2)
    a.value = nil
    #expect(seen.isDisposed)
    #expect(seen.events.isEmpty)
  }

  @Test func waitingValuesAreFreed() {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    let subscription = zip([subject.signal, .never()]).subscribe()
    subject.send(lives.token())
    subject.send(lives.token())
    #expect(lives.count == 2)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test func aValueSentFromInsideADeliveryFollowsIt() {
    let a = Subject<Int, Never>()
    let b = Subject<Int, Never>()
    let seen = Recorder<[Int], Never>()
    let subscription = zip([a.signal, b.signal]).subscribe { values in
      if values == [1, 1] {
        a.send(2)
        b.send(2)
      }
      seen.next(values)
    }
    a.send(1)
    b.send(1)
    #expect(seen.values == [[1, 1], [2, 2]])
    subscription.dispose()
  }

  // MARK: Different types

  @Test func aTransformTakesAnyNumberOfSignals() {
    let seen = zip(
      Signal<Int, Never>.from([1, 2, 3]),
      Signal<String, Never>.from(["a", "b"]),
      Signal<Bool, Never>.from([true, false]),
      transform: { "\($0)\($1)\($2)" }
    )
    .recorded()
    #expect(seen.events == [.next("1atrue"), .next("2bfalse"), .completed])
  }

  @Test func fiveAndSixSignalsGiveTuples() {
    let many = Signal<Int, Never>.from([3, 4])
    let one = Signal<Int, Never>.just(1)
    let five = zip(many, many, many, many, many).map { [$0.0, $0.1, $0.2, $0.3, $0.4] }.recorded()
    #expect(five.events == [.next([3, 3, 3, 3, 3]), .next([4, 4, 4, 4, 4]), .completed])
    let six = zip(many, many, one, many, many, many)
      .map { a, b, c, d, e, f in [a, b, c, d, e, f] }.recorded()
    #expect(six.events == [.next([3, 3, 1, 3, 3, 3]), .completed])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("zip") { zip([$0, $0]) }
    checkOperatorContract("zip") { zip($0, $0, transform: { $0 + $1 }) }
    checkOperatorContract("zip") { zip($0, $0, $0, $0, $0) }
    checkOperatorContract("zip") { zip($0, $0, $0, $0, $0, $0) }
  }
}
