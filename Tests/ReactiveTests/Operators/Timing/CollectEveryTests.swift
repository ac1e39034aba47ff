import Reactive
import ReactiveTesting
import Testing

@Suite struct CollectEveryTests {
  @Test func collectsTheValuesOfAnInterval() {
    expectMarbles(
      "-1-2-----3---4-|",
      "-----A-------B-|",
      where: ["A": "[\"1\", \"2\"]", "B": "[\"3\", \"4\"]"]
    ) { signal, time in signal.collect(every: .frames(4), on: time) }
  }

  @Test func completionForwardsCollectedValues() {
    expectMarbles("-1-2-|", "-----(A|)", where: ["A": "[\"1\", \"2\"]"]) { signal, time in
      signal.collect(every: .frames(9), on: time)
    }
    expectMarbles("------------|", "------------|") { signal, time in
      signal.collect(every: .frames(4), on: time)
    }
  }

  @Test func aFailureDropsCollectedValues() {
    expectMarbles("-1-2-#", "-----#") { signal, time in
      signal.collect(every: .frames(9), on: time)
    }
  }

  @Test func anArrayThatIsFullIsForwardedAtOnce() {
    expectMarbles(
      "-1-2-3-4---------|",
      "-----A-------B---|",
      where: ["A": "[\"1\", \"2\", \"3\"]", "B": "[\"4\"]"]
    ) { signal, time in signal.collect(every: .frames(6), orCount: 3, on: time) }
  }

  @Test func oneTimerServesManyArrays() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let seen = subject.signal.collect(every: .seconds(1), orCount: 2, on: time).recorded(at: time)
    for value in 0..<101 { subject.send(value) }
    #expect(time.pendingCount == 1)
    #expect(seen.count == 50)
    time.run()
    #expect(seen.values.last == [100])
    #expect(seen.entries.last?.time == .seconds(1))
    #expect(time.pendingCount == 0)
  }

  @Test func aValueSentFromInsideADeliveryBelongsToTheNextArray() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let seen = Recorder<[Int], Never>()
    let subscription = subject.signal.collect(every: .seconds(1), orCount: 2, on: time).subscribe {
      values in
      seen.next(values)
      if values == [1, 2] { subject.send(3) }
    }
    subject.send(1)
    subject.send(2)
    subject.send(4)
    #expect(seen.values == [[1, 2], [3, 4]])
    subscription.dispose()
  }

  @Test func freesHeldValues() {
    expectHeldValuesToBeFreed { signal, time in signal.collect(every: .seconds(1), on: time) }
  }

  @Test func aCountOfZeroTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Signal<Int, Never>.never().collect(every: .seconds(1), orCount: 0, on: TestScheduler())
    }
  }

  @Test func anEndlessSourceCanBeEndedFromDownstream() {
    let time = TestScheduler()
    let arrays = endless().collect(every: .seconds(1), orCount: 2, on: time)
    #expect(arrays.take(2).recorded().events == [.next([0, 1]), .next([2, 3]), .completed])
    #expect(time.pendingCount == 0)
  }

  /// Expects that the operator sends the arrays shown in `expected`.
  ///
  /// The default source has empty intervals, and completes before its last interval has ended.
  private func expectCollected(
    _ expected: Marbles,
    skipEmpty: Bool,
    discardWhenCompleted: Bool,
    of source: Marbles = "-1-2---------3-|",
    at location: SourceLocation = #_sourceLocation
  ) {
    expectMarbles(
      source,
      expected,
      where: ["A": "[\"1\", \"2\"]", "B": "[]", "C": "[\"3\"]"],
      sourceLocation: location
    ) { signal, time in
      signal.collect(
        every: .frames(4),
        on: time,
        skipEmpty: skipEmpty,
        discardWhenCompleted: discardWhenCompleted
      )
    }
  }

  @Test func fixedIntervalsHaveFourPoliciesForEmptyAndUnfinishedIntervals() {
    expectCollected("----A---B---B---(C|)", skipEmpty: false, discardWhenCompleted: false)
    expectCollected("----A---B---B--|", skipEmpty: false, discardWhenCompleted: true)
    expectCollected("----A-----------(C|)", skipEmpty: true, discardWhenCompleted: false)
    expectCollected("----A----------|", skipEmpty: true, discardWhenCompleted: true)
  }

  @Test func theLastIntervalMayBeEmptyToo() {
    expectCollected("----(B|)", skipEmpty: false, discardWhenCompleted: false, of: "-|")
    expectCollected("----|", skipEmpty: true, discardWhenCompleted: false, of: "-|")
  }

  @Test func aFailureDropsTheValuesOfAFixedInterval() {
    for discards in [false, true] {
      expectCollected("----A-#", skipEmpty: false, discardWhenCompleted: discards, of: "-1-2-3#")
    }
  }

  @Test func collectedValuesArriveAlthoughTheSourceIsGone() {
    let time = TestScheduler()
    let source = Box(Subject<Int, Never>())
    let seen = source.value!.signal
      .collect(every: .seconds(1), on: time, skipEmpty: true, discardWhenCompleted: false)
      .recorded(at: time)
    source.value?.send(1)
    source.value = nil
    #expect(!seen.isDisposed)
    time.run()
    #expect(seen.events == [.next([1])])
    #expect(seen.isDisposed)
  }

  @Test func obeysTheOperatorContract() {
    for discards in [false, true] {
      checkOperatorContract("collect(every:)") { signal, time in
        signal.collect(
          every: .seconds(1),
          on: time,
          skipEmpty: true,
          discardWhenCompleted: discards
        )
      }
    }
    checkOperatorContract("collect(every:)") { signal, time in
      signal.collect(every: .seconds(1), on: time)
    }
    checkOperatorContract("collect(every:)") { signal, time in
      signal.collect(every: .seconds(1), orCount: 2, on: time)
    }
  }
}
