import Reactive
import ReactiveTesting
import Testing

/// An operator holds back an input until the previous input has sent its current value.
///
/// In these tests, that value is late, because the shared signal is in the middle of a delivery.
@Suite struct HeldInputTests {
  private let time = TestScheduler()
  private let subject = Subject<Int, Never>()

  /// Runs `body` while a shared signal delivers 1 in work of the scheduler, and then all pending
  /// work.
  private func withinDelivery(_ body: @escaping @Sendable (Signal<Int, Never>) -> Void) {
    let shared = subject.signal.share(replay: 1)
    let held = shared.subscribe { [shared] _ in body(shared) }
    time.schedule { [subject] in subject.send(1) }
    time.run()
    held.dispose()
  }

  @Test func aColdSourceStartsWhenTheOtherInputHasBeenAdmitted() {
    let seen = Recorder<Int, Never>()
    let startsWithinDelivery = Counter()
    withinDelivery { shared in
      let source = Signal<Int, Never>.create { observer in
        startsWithinDelivery.add()
        observer.send(20)
        observer.complete()
      }
      seen.record(source.withLatest(from: shared).map { $0.0 + $0.1 })
      #expect(startsWithinDelivery.value == 0)
    }
    #expect(seen.values == [21])
    #expect(seen.isCompleted)
  }

  @Test func valuesThatAHotSourceSendsMeanwhileWait() {
    let seen = Recorder<Int, Never>()
    let source = Subject<Int, Never>()
    withinDelivery { shared in
      seen.record(source.signal.withLatest(from: shared).map { $0.0 + $0.1 })
      source.send(20)
      source.send(30)
      source.complete()
      #expect(seen.events.isEmpty)
    }
    #expect(seen.values == [21, 31])
    #expect(seen.isCompleted)
  }

  @Test func aTriggerThatHasFiredKeepsTheSourceFromStarting() {
    let starts = Counter()
    let seen = Recorder<Int, Never>()
    withinDelivery { shared in
      let source = Signal<Int, Never>.create { observer in
        starts.add()
        observer.complete()
      }
      seen.record(source.take(until: shared))
    }
    #expect(starts.value == 0)
    #expect(seen.isCompleted)
  }

  @Test func aSourceThatIsDisposedOfWhileHeldIsNotStarted() {
    let starts = Counter()
    let seen = Recorder<Int, Never>()
    let lives = LifeCount()
    let hot = Subject<Int, Never>()
    withinDelivery { shared in
      let source = Signal<Int, Never>.create { [token = lives.token()] observer in
        token.touch()
        starts.add()
        observer.complete()
      }
      seen.record(source.merge(with: hot.signal).withLatest(from: shared).map { $0.0 + $0.1 })
      hot.send(1)
      seen.dispose()
    }
    #expect(starts.value == 0)
    #expect(seen.events.isEmpty)
    #expect(lives.count == 0)
  }

  @Test func anInputThatIsHeldForAHeldInputStartsLast() {
    let seen = Recorder<Int, Never>()
    withinDelivery { shared in
      let inner = Signal<Int, Never>.just(100).withLatest(from: shared).map { $0.0 + $0.1 }
      let other = combineLatest(inner, shared.map { $0 * 10 }).map { $0.0 + $0.1 }
      seen.record(Signal<Int, Never>.just(1000).withLatest(from: other).map { $0.0 + $0.1 })
    }
    #expect(seen.values == [1111])
    #expect(seen.isCompleted)
  }

  @Test func aHeldEndlessSourceIsNotQueued() {
    let seen = Recorder<Int, Never>()
    withinDelivery { shared in
      seen.record(endless().withLatest(from: shared).map { $0.0 + $0.1 }.take(3))
    }
    #expect(seen.values == [1, 2, 3])
    #expect(seen.isCompleted)
  }

  @Test func combinationsLoseNoValueOfTheSecond() {
    let two = Recorder<Int, Never>()
    let list = Recorder<[Int], Never>()
    let truths = Recorder<Bool, Never>()
    withinDelivery { shared in
      two.record(combineLatest(shared, .from([10, 20])).map { $0.0 + $0.1 }.take(2))
      list.record(combineLatest([shared, .from([10, 20])]).take(2))
      truths.record(Signal.all([shared.map { $0 > 0 }, .from([true, false])]).take(2))
    }
    #expect(two.values == [11, 21])
    #expect(list.values == [[1, 10], [1, 20]])
    #expect(truths.values == [true, false])
  }

  @Test func theFirstToHaveAValueWinsTheRace() {
    let seen = Recorder<Int, Never>()
    withinDelivery { shared in seen.record(Signal.amb([shared.take(1), .just(-1)])) }
    #expect(seen.values == [1])
  }

  @Test func aSourceIsNotHeldForSignalsThatSendTheirValueAtOnce() {
    let behavior = BehaviorSubject<Int, Never>(1)
    let replay = ReplaySubject<Int, Never>()
    replay.send(2)
    let seen = Recorder<Int, Never>()
    time.schedule {
      seen.record(
        Signal<Int, Never>.just(10).withLatest(from: combineLatest(behavior.signal, replay.signal))
          .map { $0.0 + $0.1.0 + $0.1.1 }
      )
      #expect(seen.values == [13])
    }
    time.run()
    #expect(seen.isCompleted)
  }
}
