import Reactive
import ReactiveTesting
import Testing

/// Contract rule 1: a subscriber gets `next* (failed | completed)?`, and then nothing.
@Suite struct Rule01GrammarTests {
  @Test func nothingFollowsCompletion() {
    let seen = Signal<Int, TestFailure>.create { observer in
      observer.send(1)
      observer.complete()
      observer.send(2)
      observer.fail(TestFailure())
      observer.complete()
    }
    .recorded()
    #expect(seen.events == [.next(1), .completed])
  }

  @Test func nothingFollowsAFailure() {
    let seen = Signal<Int, TestFailure>.create { observer in
      observer.fail(TestFailure(code: 1))
      observer.complete()
      observer.fail(TestFailure(code: 2))
      observer.send(2)
    }
    .recorded()
    #expect(seen.events == [.failed(TestFailure(code: 1))])
  }

  @Test func aSubjectIsSilentAfterItsEnd() {
    let subject = Subject<Int, TestFailure>()
    let seen = subject.signal.recorded()
    subject.send(1)
    subject.complete()
    subject.send(2)
    subject.fail(TestFailure())
    #expect(seen.events == [.next(1), .completed])
  }

  @Test func anOptionalNilIsAValue() {
    let seen = Signal<Int?, Never>.from([nil, 1, nil]).recorded()
    #expect(seen.events == [.next(nil), .next(1), .next(nil), .completed])
  }

  @Test func oneEndArrivesWhenFailureRacesCompletion() {
    for _ in 0..<scaledCount(2_000) {
      let subject = Subject<Int, TestFailure>()
      let seen = subject.signal.merge(with: .never()).recorded()
      onPlainThreads(2) { $0 == 0 ? subject.fail(TestFailure()) : subject.complete() }
      #expect(seen.events.count <= 1)
      if seen.events.isEmpty { #expect(!seen.isDisposed) }
      seen.dispose()
    }
  }

  @Test func oneEndArrivesWhenTwoObserversRace() {
    for _ in 0..<scaledCount(2_000) {
      let box = Box<Observer<Int, TestFailure>>()
      let seen = Signal<Int, TestFailure>.create { box.value = $0 }.recorded()
      onPlainThreads(3) { index in
        switch index {
        case 0: box.value?.fail(TestFailure())
        case 1: box.value?.complete()
        default: box.value?.send(1)
        }
      }
      let ends = seen.events.filter(\.isTerminal)
      #expect(ends.count == 1)
      #expect(seen.events.last?.isTerminal == true)
    }
  }
}
