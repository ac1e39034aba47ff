import Reactive
import ReactiveTesting
import Testing

@Suite struct TakeUntilReplacementTests {
  @Test func continuesWithTheReplacementFromItsFirstValue() {
    expectMarbles("-1-2-3-4-|", "----a--b--|", "-1-2a--b--|") { $0.take(untilReplacement: $1) }
  }

  @Test func completionAndFailureOfTheReplacementSwitchToo() {
    expectMarbles("-1-2-3-|", "----|", "-1-2|") { $0.take(untilReplacement: $1) }
    expectMarbles("-1-2-3-|", "----#", "-1-2#") { $0.take(untilReplacement: $1) }
  }

  @Test func completionOfTheSourceWaitsForTheReplacement() {
    expectMarbles("-1-|", "-----a-|", "-1---a-|") { $0.take(untilReplacement: $1) }
  }

  @Test func aFailureOfTheSourceIsForwarded() {
    expectMarbles("-1-#", "-----a-|", "-1-#") { $0.take(untilReplacement: $1) }
  }

  @Test func aFailureOfTheSourceAfterTheSwitchIsNotForwarded() {
    expectMarbles("-1---#", "---a---|", "-1-a---|") { $0.take(untilReplacement: $1) }
  }

  @Test func aReplacementThatSendsAtOnceKeepsTheSourceFromBeingSubscribedTo() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-|", on: time)
    let seen = source.signal.take(untilReplacement: .just("a")).recorded()
    #expect(seen.events == [.next("a"), .completed])
    #expect(source.subscriptions.isEmpty)
  }

  @Test func theSourceIsDisposedOfAtTheSwitch() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-----1-|", on: time)
    let seen = source.signal.take(untilReplacement: time.cold("---a----")).recorded()
    time.advance(by: .frames(5))
    #expect(source.subscriptions.map(\.ended) == [.frames(3)])
    #expect(!seen.isDisposed)
    seen.dispose()
  }

  @Test func theReplacementIsDisposedOfWhenTheSourceFails() {
    let time = TestScheduler()
    let replacement = MarbleSource(cold: "-", on: time)
    _ = time.cold("-#").take(untilReplacement: replacement.signal).recorded()
    time.run()
    #expect(replacement.subscriptions.map(\.ended) == [.frames(1)])
  }

  @Test func noValueOfTheSourceIsForwardedAfterTheSwitchNotEvenAWaitingOne() {
    let source = Subject<Int, Never>()
    let replacement = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let subscription = source.signal.take(untilReplacement: replacement.signal).subscribe { value in
      seen.next(value)
      guard value == 1 else { return }
      source.send(2)
      replacement.send(10)
      source.send(3)
      replacement.send(11)
    }
    source.send(1)
    #expect(seen.values == [1, 10, 11])
    subscription.dispose()
  }

  @Test func endsWithoutAnEventWhenNeitherCanSend() {
    let seen = Recorder<Int, Never>()
    do {
      let replacement = Subject<Int, Never>()
      do {
        let source = Subject<Int, Never>()
        seen.record(source.signal.take(untilReplacement: replacement.signal))
        source.send(1)
      }
      #expect(!seen.isDisposed)
    }
    #expect(seen.events == [.next(1)])
    #expect(seen.isDisposed)
  }

  @Test func theSourceContinuesIfTheReplacementIsGone() {
    let source = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    do {
      let replacement = Subject<Int, Never>()
      seen.record(source.signal.take(untilReplacement: replacement.signal))
    }
    source.send(1)
    #expect(!seen.isDisposed)
    source.complete()
    #expect(seen.events == [.next(1)])
    #expect(seen.isDisposed)
  }

  @Test(.timeLimit(.minutes(30))) func endlessSignalsCanBeEndedFromDownstream() {
    let never = Signal<Int, Never>.never()
    #expect(endless().take(untilReplacement: never).take(2).recorded().values == [0, 1])
    #expect(never.take(untilReplacement: endless()).take(2).recorded().values == [0, 1])
  }

  @Test func nothingOutlivesTheSubscription() {
    let lives = LifeCount()
    let source = Subject<Int, Never>()
    let replacement = Subject<Int, Never>()
    let subscription = source.signal
      .map { [token = lives.token()] value in
        token.touch()
        return value
      }
      .take(untilReplacement: replacement.signal)
      .subscribe { [token = lives.token()] _ in token.touch() }
    #expect(lives.count == 2)
    replacement.send(1)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test(.tags(.stress)) func valuesOfTwoThreadsDoNotMixAtTheSwitch() {
    for _ in 0..<scaledCount(200) {
      let source = Subject<Int, Never>()
      let replacement = Subject<Int, Never>()
      let seen = source.signal.take(untilReplacement: replacement.signal).recorded()
      onPlainThreads(2) { index in
        if index == 0 {
          for value in 0..<50 { source.send(value) }
        } else {
          for value in 100..<110 { replacement.send(value) }
        }
      }
      replacement.complete()
      #expect(seen.isCompleted)
      #expect(seen.values.suffix(10) == Array(100..<110))
      #expect(seen.values.dropLast(10) == ArraySlice(0..<seen.values.count - 10))
    }
  }

  @Test(.tags(.stress)) func aFailureDuringTheSwitchComesBeforeItOrNotAtAll() {
    let runs = (0..<scaledCount(5_000)).map { _ in
      (source: Subject<Int, TestFailure>(), replacement: Subject<Int, TestFailure>())
    }
    let seen = runs.map {
      $0.source.signal.take(untilReplacement: $0.replacement.signal).recorded()
    }
    onPlainThreads(2) { index in
      for run in runs {
        if index == 0 { run.source.fail(TestFailure()) } else { run.replacement.send(1) }
      }
    }
    for (run, seen) in zip(runs, seen) {
      run.replacement.complete()
      let isFailed = seen.events == [.failed(TestFailure())]
      #expect(isFailed || seen.events == [.next(1), .completed])
    }
  }

  @Test(arguments: [true, false]) func theEndOfTheReplacementComesAfterTheValueThatIsDelivered(
    isFailure: Bool
  ) {
    let source = Subject<Int, TestFailure>()
    let replacement = Subject<Int, TestFailure>()
    let seen = Recorder<Int, TestFailure>()
    source.signal.take(untilReplacement: replacement.signal).subscribe(
      next: { value in
        if isFailure { replacement.fail(TestFailure()) } else { replacement.complete() }
        source.send(2)
        #expect(!seen.hasEnded)
        seen.next(value)
      },
      failed: { seen.fail($0) },
      completed: { seen.complete() }
    )
    source.send(1)
    #expect(seen.events == [.next(1), isFailure ? .failed(TestFailure()) : .completed])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("take(untilReplacement:)") { $0.take(untilReplacement: $0) }
    checkOperatorContract("take(untilReplacement:)", .outlivesSource) { source in
      Signal<Int, ContractFailure>.never().take(untilReplacement: source)
    }
  }
}
