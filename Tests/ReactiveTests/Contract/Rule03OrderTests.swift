import Reactive
import ReactiveTesting
import Testing

/// Contract rule 3: events are serial, in one order for all subscribers; an event that arrives
/// during a delivery waits, but its thread does not.
@Suite struct Rule03OrderTests {
  @Test func aReentrantSendWaitsForTheDeliveryUnderWay() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<String, Never>()
    let subscription = subject.signal.subscribe { value in
      seen.next("begin \(value)")
      if value < 3 { subject.send(value + 1) }
      seen.next("end \(value)")
    }
    subject.send(1)
    #expect(seen.values == ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
    subscription.dispose()
  }

  @Test func reentrantSendsKeepOneOrderForAllSubscribers() {
    let subject = Subject<Int, Never>()
    let before = subject.signal.recorded()
    let subscription = subject.signal.subscribe { value in
      if value == 1 {
        subject.send(2)
        subject.send(3)
      }
    }
    let after = subject.signal.recorded()
    subject.send(1)
    #expect(before.values == [1, 2, 3])
    #expect(after.values == [1, 2, 3])
    subscription.dispose()
  }

  @Test func reentrantCompletionWaitsForTheValueUnderWay() {
    let subject = Subject<Int, Never>()
    subject.signal.subscribe { if $0 == 1 { subject.complete() } }
    let seen = subject.signal.recorded()
    subject.send(1)
    #expect(seen.events == [.next(1), .completed])
  }

  @Test func reentrantSendsOfAnObserverKeepTheirOrder() {
    let box = Box<Observer<Int, Never>>()
    let seen = Recorder<Int, Never>()
    let subscription = Signal<Int, Never>.create { box.value = $0 }.subscribe { value in
      if value == 1 {
        box.value?.send(2)
        box.value?.send(3)
      }
      seen.next(value)
    }
    box.value?.send(1)
    #expect(seen.values == [1, 2, 3])
    subscription.dispose()
  }

  @Test func aSubscriberDuringADeliveryGetsTheLaterEvents() {
    let subject = Subject<Int, Never>()
    let late = Recorder<Int, Never>()
    let subscription = subject.signal.subscribe { value in
      if value == 1 {
        late.record(subject.signal)
        subject.send(2)
      }
    }
    subject.send(1)
    #expect(late.values == [2])
    subscription.dispose()
  }

  /// A value that waits in the gate, which lets one thread at a time deliver events, is delivered
  /// even if its source completes meanwhile.
  @Test(arguments: ["merge", "flatMap", "flatten", "concat", "limit"])
  func aValueQueuedBeforeItsSourceCompletedIsDelivered(_ name: String) {
    let first = Subject<Int, Never>()
    let second = Subject<Int, Never>()
    let both = [first.signal, second.signal]
    let merged: Signal<Int, Never> =
      switch name {
      case "merge": .merge(both)
      case "flatMap": Signal.from(both).flatMap { $0 }
      case "flatten": Signal.from(both).flatten()
      case "limit": Signal.from(both).flatten(limit: 2)
      default: Signal.from([Signal.merge(both)]).concat()
      }
    let seen = Recorder<Int, Never>()
    merged.subscribe(
      next: { value in
        seen.next(value)
        if value == 1 {
          second.send(2)
          second.send(3)
          second.complete()
          first.complete()
        }
      },
      completed: { seen.complete() }
    )
    first.send(1)
    #expect(seen.events == [.next(1), .next(2), .next(3), .completed])
  }

  @Test func aPairQueuedBeforeItsSourceCompletedIsDelivered() {
    let first = Subject<Int, Never>()
    let second = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    zip(first.signal, second.signal).subscribe(
      next: { pair in
        seen.next(pair.0 + pair.1)
        if pair.0 == 1 {
          second.send(20)
          second.complete()
        }
      },
      completed: { seen.complete() }
    )
    first.send(1)
    first.send(2)
    second.send(10)
    #expect(seen.events == [.next(11), .next(22), .completed])
  }

  @Test func aLatestValueQueuedBeforeItsSourceCompletedIsDelivered() {
    let first = Subject<Int, Never>()
    let second = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    combineLatest(first.signal, second.signal).subscribe(
      next: { pair in
        seen.next(pair.0 + pair.1)
        if pair.1 == 10 {
          second.send(20)
          second.complete()
          first.complete()
        }
      },
      completed: { seen.complete() }
    )
    first.send(1)
    second.send(10)
    #expect(seen.events == [.next(11), .next(21), .completed])
  }

  @Test func switchToLatestDropsWaitingValuesOfTheOldSignal() {
    let outer = Subject<Signal<Int, Never>, Never>()
    let first = Subject<Int, Never>()
    let second = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let subscription = outer.signal.switchToLatest().subscribe { value in
      seen.next(value)
      if value == 1 {
        first.send(2)
        outer.send(second.signal)
      }
    }
    outer.send(first.signal)
    first.send(1)
    second.send(3)
    #expect(seen.values == [1, 3])
    subscription.dispose()
  }

  @Test func switchToLatestDropsValuesThatAnotherThreadSentMeanwhile() {
    let outer = Subject<Signal<Int, Never>, Never>()
    let observer = Box<Observer<Int, Never>>()
    let both = Signal<Int, Never>.merge([.create { observer.value = $0 }, .never()])
    let seen = Recorder<Int, Never>()
    let subscription = outer.signal.switchToLatest().subscribe { value in
      seen.next(value)
      if value == 1 {
        onPlainThread { observer.value?.send(2) }
        outer.send(.just(3))
      }
    }
    outer.send(both)
    observer.value?.send(1)
    #expect(seen.values == [1, 3])
    subscription.dispose()
  }

  @Test func aSendReturnsAlthoughAHandlerIsBusyOnAnotherThread() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let isInside = Latch()
    let hasReturned = Latch()
    subject.signal.subscribe { value in
      if value == 1 {
        isInside.signal()
        #expect(hasReturned.wait())
      }
      seen.next(value)
    }
    onPlainThreads(2) { index in
      if index == 0 {
        subject.send(1)
      } else {
        #expect(isInside.wait())
        subject.send(2)
        #expect(seen.values.isEmpty)
        hasReturned.signal()
      }
    }
    #expect(seen.values == [1, 2])
  }
}
