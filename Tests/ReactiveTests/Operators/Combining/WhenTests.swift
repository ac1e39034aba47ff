import Reactive
import ReactiveTesting
import Testing

@Suite struct WhenTests {
  // MARK: retry(when:)

  @Test func subscribesAgainWhenTheTriggerSends() {
    expectMarbles("1#", "1---1---(1|)") { signal, time in
      signal.retry(when: { $0.take(3).delay(.frames(3), on: time) }).take(3)
    }
  }

  @Test func completionOfTheTriggerEndsTheSignalAtThePendingOrNextFailure() {
    expectMarbles("1#", "1--|") { signal, time in signal.retry(when: { _ in time.cold("---|") }) }
    let tries = Counter()
    let failing = Signal<Int, TestFailure>.create { observer in
      tries.add()
      observer.send(tries.value)
      observer.fail(TestFailure())
    }
    let seen = failing.retry(when: { $0.take(3) }).recorded()
    #expect(seen.events == [.next(1), .next(2), .next(3), .next(4), .completed])
  }

  @Test func aTriggerThatFailsEndsTheSignalAtOnce() {
    let source = Subject<Int, TestFailure>()
    let stop = Subject<Void, TestFailure>()
    let seen = source.signal
      .retry(when: { [signal = stop.signal] _ in signal })
      .recorded()
    source.send(1)
    stop.fail(TestFailure(code: 7))
    source.send(2)
    #expect(seen.events == [.next(1), .failed(TestFailure(code: 7))])
  }

  @Test func theClosureGetsTheFailures() {
    let tries = Counter()
    let failing = Signal<Int, TestFailure>.create { $0.fail(TestFailure(code: tries.add())) }
    let seen =
      failing
      .retry(when: { failures in
        failures.flatMap { failure -> Signal<Void, TestFailure> in
          failure.code < 4 ? .just(()) : .failed(failure)
        }
      })
      .recorded()
    #expect(seen.events == [.failed(TestFailure(code: 4))])
    #expect(tries.value == 4)
  }

  @Test func valuesOfTheTriggerDuringASubscriptionDoNotCount() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-----#", on: time)
    let trigger = time.hot("-1-1---1-1-")
    let seen = source.signal.retry(when: { _ in trigger }).recorded()
    time.advance(by: .frames(12))
    #expect(source.subscriptions.map(\.began) == [.zero, .frames(7)])
    seen.dispose()
    #expect(source.activeCount == 0)
  }

  @Test func anEndlessTriggerCanBeEndedFromDownstream() {
    let tries = Counter()
    let failing = Signal<Int, TestFailure>.create { observer in
      observer.send(tries.add())
      observer.fail(TestFailure())
    }
    let seen = failing.retry(when: { _ in endless() }).take(3).recorded()
    #expect(seen.events == [.next(1), .next(2), .next(3), .completed])
    let again = Signal<Int, Never>.just(7).repeat(when: { _ in endless() }).take(3).recorded()
    #expect(again.events == [.next(7), .next(7), .next(7), .completed])
  }

  @Test func aTriggerThatSendsBeforeItSubscribesGetsTheEarlierFailure() {
    let failing = Signal<Int, TestFailure>.just(1).concat(.failed(TestFailure(code: 5)))
    let heard = Recorder<Int, Never>()
    let seen =
      failing
      .retry(when: { failures in
        failures.take(2).map { failure in heard.next(failure.code) }.startWith(())
      })
      .recorded()
    #expect(heard.values == [5, 5])
    #expect(seen.events == [.next(1), .next(1), .next(1), .completed])
  }

  @Test func theFirstValueThatATriggerSendsAtOnceDoesNotCount() {
    let failing = Signal<Int, TestFailure>.just(1).concat(.failed(TestFailure()))
    let seen = failing.retry(when: { _ in Signal<Int, Never>.just(0) }).recorded()
    #expect(seen.events == [.next(1), .completed])
  }

  @Test func completionPassesAndEndsTheTrigger() {
    let time = TestScheduler()
    let trigger = MarbleSource(cold: "-", on: time)
    let seen = time.cold("-1-|").retry(when: { _ in trigger.signal }).recorded()
    time.run()
    #expect(seen.isCompleted)
    #expect(trigger.activeCount == 0)
  }

  @Test func aTriggerThatAnswersAtOnceDoesNotGrowTheStack() {
    let tries = Counter()
    let source = Signal<Int, TestFailure>.create { observer in
      if tries.add() < scaledDepth(100_000) {
        observer.fail(TestFailure())
      } else {
        observer.complete()
      }
    }
    #expect(source.retry(when: { $0 }).recorded().events == [.completed])
    #expect(tries.value == scaledDepth(100_000))
  }

  @Test func anEndlessRetryThatBeginsInADeliveryEnds() {
    let first = Subject<Int, TestFailure>()
    let tries = Counter()
    let source = Signal<Int, TestFailure>.deferred { [signal = first.signal] in
      tries.add() == 1 ? signal : endless().promoteFailure(to: TestFailure.self)
    }
    let other = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    Signal.merge([source.retry(when: { $0 }), other.signal]).take(4).subscribe(
      next: { value in
        seen.next(value)
        if value == -1 { first.fail(TestFailure()) }
      },
      completed: { seen.complete() }
    )
    other.send(-1)
    #expect(seen.events == [.next(-1), .next(0), .next(1), .next(2), .completed])
  }

  @Test func theSignalOfFailuresEndsWithTheSubscription() {
    let kept = Box<Signal<TestFailure, Never>>()
    let source = Subject<Int, TestFailure>()
    let first = source.signal
      .retry(when: { failures in
        kept.value = failures
        return failures
      })
      .recorded()
    let late = kept.value?.recorded()
    #expect(late?.isDisposed == false)
    first.dispose()
    #expect(late?.isDisposed == true)
  }

  @Test func disposalFreesTheTrigger() {
    let lives = LifeCount()
    let source = Subject<Int, TestFailure>()
    let seen = source.signal
      .retry(when: { [token = lives.token()] failures in
        failures.map { _ in token.touch() }
      })
      .recorded()
    source.send(1)
    #expect(lives.count == 1)
    seen.dispose()
    #expect(seen.values == [1])
  }

  // MARK: repeat(when:)

  @Test func repeatsWhenTheTriggerSends() {
    expectMarbles("1|", "1---1---(1|)") { signal, time in
      signal.repeat(when: { $0.delay(.frames(3), on: time) }).take(3)
    }
  }

  @Test func aRepetitionEndsWithTheTrigger() {
    let seen = Signal<Int, Never>.just(1).repeat(when: { $0.take(2) }).recorded()
    #expect(seen.events == [.next(1), .next(1), .next(1), .completed])
  }

  @Test func aFailureIsNotRepeated() {
    expectMarbles("-1-#", "-1-#") { $0.repeat(when: { $0 }) }
  }

  @Test func aFailureOfTheTriggerEndsTheRepetition() {
    expectMarbles("-1-|", "-1---#") { signal, time in
      signal.repeat(when: { ends in ends.flatMap { _ in time.cold("--#") } })
    }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("retry(when:)", .handlesFailure) { $0.retry(when: { $0.take(2) }) }
    checkOperatorContract("retry(when:)") { source in
      source.retry(when: { $0.flatMap { Signal<Void, ContractFailure>.failed($0) } })
    }
    checkOperatorContract("repeat(when:)") { $0.repeat(when: { $0.take(0) }) }
    let none = Signal<Void, ContractFailure>.empty()
    checkOperatorContract("repeat(when:)") { $0.repeat(when: { _ in none }) }
  }
}
