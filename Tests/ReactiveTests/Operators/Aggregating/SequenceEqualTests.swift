import Reactive
import ReactiveTesting
import Testing

@Suite struct SequenceEqualTests {
  private static let legend: [Character: String] = ["t": "true", "f": "false"]

  private func expect(
    _ first: Marbles,
    _ second: Marbles,
    _ expected: Marbles,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectMarbles(
      first,
      second,
      expected,
      where: Self.legend,
      sourceLocation: sourceLocation
    ) { $0.sequenceEqual($1) }
    expectMarbles(
      second,
      first,
      expected,
      where: Self.legend,
      sourceLocation: sourceLocation
    ) { $0.sequenceEqual($1) }
  }

  @Test func equalValuesAreEqualWheneverTheyArrive() {
    expect("-1-2---|", "---1-2-|", "-------(t|)")
    expect("-1-2-|", "-------12--|", "-----------(t|)")
    expect("-|", "--|", "--(t|)")
  }

  @Test func aDifferenceIsSentAtOnce() {
    expect("-1-2-3-|", "-1-5-----|", "---(f|)")
    expect("-1-2-3---|", "-------1-7", "---------(f|)")
  }

  @Test func aDifferentLengthIsSentAsSoonAsItIsKnown() {
    expect("-1-|", "-1-----2-----|", "-------(f|)")
    expect("-1-2-3-|", "-1-------|", "---------(f|)")
    expect("----|", "-1-----", "----(f|)")
  }

  @Test func aFailureOvertakesValuesThatWaitForComparison() {
    expect("-1-2-#", "---------1-2", "-----#")
    expect("-1-2-|", "---#", "---#")
  }

  @Test func comparesWithTheGivenFunction() {
    let numbers = Signal<Int, Never>.from([1, 2])
    let words = Signal<String, Never>.from(["1", "2"])
    #expect(numbers.sequenceEqual(words, by: { "\($0)" == $1 }).recorded().values == [true])
    #expect(words.sequenceEqual(numbers, by: { $0 == "\($1)0" }).recorded().values == [false])
  }

  @Test func endsBothWithTheAnswer() {
    let time = TestScheduler()
    let first = MarbleSource(cold: "-1-", on: time)
    let second = MarbleSource(cold: "--2-", on: time)
    let seen = first.signal.sequenceEqual(second.signal).recorded()
    time.run()
    #expect(seen.events == [.next(false), .completed])
    #expect(first.subscriptions.map(\.ended) == [.frames(2)])
    #expect(second.subscriptions.map(\.ended) == [.frames(2)])
  }

  @Test func aFirstSignalThatFailsAtOnceKeepsTheSecondFromBeingSubscribedTo() {
    let time = TestScheduler()
    let second = MarbleSource(cold: "-1-|", on: time)
    let failed = Signal<String, MarbleFailure>.failed(MarbleFailure())
    #expect(failed.sequenceEqual(second.signal).recorded().failure != nil)
    #expect(second.subscriptions.isEmpty)
  }

  @Test(.timeLimit(.minutes(30))) func anEndlessSecondSignalIsEndedByTheAnswer() {
    let finite = Signal<Int, Never>.from([0, 1, 2])
    #expect(finite.sequenceEqual(endless()).recorded().events == [.next(false), .completed])
  }

  /// Contract rule 3: a value sent from inside a comparison waits until the comparison returns.
  @Test func valuesSentFromInsideAComparisonWait() {
    let first = Subject<Int, Never>()
    let second = Subject<Int, Never>()
    let sends = Counter()
    let seen = first.signal
      .sequenceEqual(
        second.signal,
        by: { left, right in
          if sends.add() == 1 {
            second.send(2)
            first.send(2)
          }
          return left == right
        }
      )
      .recorded()
    first.send(1)
    second.send(1)
    #expect(sends.value == 2)
    first.complete()
    second.complete()
    #expect(seen.events == [.next(true), .completed])
  }

  @Test func endsWithoutAnEventWhenThereCanBeNoAnswer() {
    let seen = Recorder<Bool, Never>()
    let second = Subject<Int, Never>()
    do {
      let first = Subject<Int, Never>()
      seen.record(first.signal.sequenceEqual(second.signal))
      first.send(1)
    }
    #expect(!seen.isDisposed)
    second.send(1)
    #expect(seen.events.isEmpty)
    #expect(seen.isDisposed)
  }

  @Test func sendsTheAnswerIfTheRemainingValuesOfAReleasedSourceSuffice() {
    let different = Recorder<Bool, Never>()
    let shorter = Recorder<Bool, Never>()
    let second = Subject<Int, Never>()
    do {
      let first = Subject<Int, Never>()
      different.record(first.signal.sequenceEqual(second.signal))
      shorter.record(first.signal.sequenceEqual(second.signal.filter { _ in false }))
      first.send(1)
    }
    second.send(2)
    #expect(different.events == [.next(false), .completed])
    #expect(shorter.events.isEmpty)
    second.complete()
    #expect(shorter.events == [.next(false), .completed])
  }

  @Test func holdsWaitingValuesButNoneAfterDisposal() {
    let lives = LifeCount()
    let first = Subject<LifeCount.Token, Never>()
    let second = Subject<LifeCount.Token, Never>()
    let subscription = first.signal
      .sequenceEqual(
        second.signal,
        by: { [token = lives.token()] _, _ in
          token.touch()
          return true
        }
      )
      .subscribe()
    #expect(lives.count == 1)
    for _ in 1...3 { first.send(lives.token()) }
    second.send(lives.token())
    #expect(lives.count == 3)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test(.tags(.stress)) func valuesOfTwoThreadsAreComparedInTheOrderOfEachThread() {
    for _ in 0..<scaledCount(200) {
      let first = Subject<Int, Never>()
      let second = Subject<Int, Never>()
      let seen = first.signal.sequenceEqual(second.signal).recorded()
      onPlainThreads(2) { index in
        let subject = index == 0 ? first : second
        for value in 0..<50 { subject.send(value) }
        subject.complete()
      }
      #expect(seen.events == [.next(true), .completed])
    }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("sequenceEqual") { $0.sequenceEqual($0) }
    checkOperatorContract("sequenceEqual", .endsEarly) { source in
      source.sequenceEqual(source.skip(1))
    }
    checkOperatorContract("sequenceEqual", [.endsEarly]) { source in
      source.sequenceEqual(.from([1, 9]), by: { $0 == $1 })
    }
  }
}
