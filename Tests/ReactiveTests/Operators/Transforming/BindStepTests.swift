import Reactive
import ReactiveTesting
import Testing

@Suite struct BindStepTests {
  @Test func theClosureHasAStateForEachSubscription() {
    let numbered = Signal<String, Never>.from(["a", "b"]).bind {
      var count = 0
      return { value, _ in
        count += 1
        return .just("\(value)\(count)")
      }
    }
    #expect(numbered.recorded().events == [.next("a1"), .next("b2"), .completed])
    #expect(numbered.recorded().events == [.next("a1"), .next("b2"), .completed])
  }

  @Test func mergesTheInnerSignals() {
    let inner: [String: Marbles] = ["1": "a---a|", "2": "b---b|"]
    expectMarbles("1-2-|", "a-b-a-b|") { signal, time in
      signal.bind { { value, _ in time.cold(inner[value] ?? "|") } }
    }
  }

  @Test func nilStopsTheSourceButNotRunningSignals() {
    expectMarbles("-1-2-3-4-----|", "--a-a--a-a|") { signal, time in
      signal.bind { { value, _ in value == "3" ? nil : time.cold("-a----a|") } }
    }
  }

  @Test func stopForwardsItsLastSignalAndNoMoreValues() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-4-|", on: time)
    let seen = source.signal
      .bind {
        { value, stop in
          stop = value == "2"
          return time.cold("--a|").map { _ in value }
        }
      }
      .recorded(at: time)
    time.run()
    #expect(source.subscriptions.map(\.ended) == [.frames(3)])
    #expect(seen.values == ["1", "2"])
    #expect(seen.entries.last?.time == .frames(6))
    #expect(seen.isCompleted)
  }

  @Test func stopEndsAnEndlessSource() {
    let seen = endless()
      .bind {
        { value, stop in
          stop = value == 2
          return Signal<Int, Never>.just(value)
        }
      }
      .recorded()
    #expect(seen.events == [.next(0), .next(1), .next(2), .completed])
  }

  @Test func endlessInnerSignalsCanBeEnded() {
    let seen = endless().bind { { _, _ in endless() } }.take(3).recorded()
    #expect(seen.events == [.next(0), .next(1), .next(2), .completed])
  }

  @Test func aValueSentFromInsideTheClosureAfterStopIsIgnored() {
    let subject = Subject<Int, Never>()
    let calls = Counter()
    let seen = Recorder<Int, Never>()
    seen.record(
      subject.signal.bind {
        { value, stop in
          calls.add()
          subject.send(value + 1)
          stop = true
          return Signal<Int, Never>.just(value)
        }
      }
    )
    subject.send(1)
    #expect(calls.value == 1)
    #expect(seen.events == [.next(1), .completed])
  }

  @Test func anyFailureEndsAll() {
    expectMarbles("-1-1-1-|", "---#") { signal, time in
      signal.bind { { _, _ in time.cold("--#") } }
    }
    expectMarbles("-1-#", "--a#") { signal, time in signal.bind { { _, _ in time.cold("-a-a-a") } }
    }
  }

  @Test func theStateIsFreed() {
    let lives = LifeCount()
    let subject = Subject<Int, Never>()
    let subscription = subject.signal
      .bind { [lives] in
        var tokens: [LifeCount.Token] = []
        return { value, _ in
          tokens.append(lives.token())
          return Signal<Int, Never>.never()
        }
      }
      .subscribe()
    subject.send(1)
    subject.send(2)
    #expect(lives.count == 2)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("bind") { source in source.bind { { value, _ in .just(value) } } }
    checkOperatorContract("bind", .endsEarly) { source in
      source.bind {
        { value, stop in
          stop = value == 3
          return .just(value)
        }
      }
    }
  }
}
