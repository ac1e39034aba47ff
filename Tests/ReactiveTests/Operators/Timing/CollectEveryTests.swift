import Reactive
import ReactiveTesting
import Testing

@Suite struct CollectEveryTests {
  @Test func gathersTheValuesOfAnInterval() {
    expectMarbles(
      "-1-2-----3---4-|",
      "-----A-------B-|",
      where: ["A": "[\"1\", \"2\"]", "B": "[\"3\", \"4\"]"]
    ) { signal, time in signal.collect(every: .frames(4), on: time) }
  }

  @Test func completionForwardsWhatHasBeenGathered() {
    expectMarbles("-1-2-|", "-----(A|)", where: ["A": "[\"1\", \"2\"]"]) { signal, time in
      signal.collect(every: .frames(9), on: time)
    }
    expectMarbles("------------|", "------------|") { signal, time in
      signal.collect(every: .frames(4), on: time)
    }
  }

  @Test func aFailureDropsWhatHasBeenGathered() {
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

  @Test func freesWhatItHolds() {
    expectHeldValuesToBeFreed { signal, time in signal.collect(every: .seconds(1), on: time) }
  }

  @Test func aCountOfZeroTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Signal<Int, Never>.never().collect(every: .seconds(1), orCount: 0, on: TestScheduler())
    }
  }

  @Test func anEndlessSourceCanBeEndedFromBelow() {
    let time = TestScheduler()
    let arrays = endless().collect(every: .seconds(1), orCount: 2, on: time)
    #expect(arrays.take(2).recorded().events == [.next([0, 1]), .next([2, 3]), .completed])
    #expect(time.pendingCount == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("collect(every:)") { signal, time in
      signal.collect(every: .seconds(1), on: time)
    }
    checkOperatorContract("collect(every:)") { signal, time in
      signal.collect(every: .seconds(1), orCount: 2, on: time)
    }
  }
}
