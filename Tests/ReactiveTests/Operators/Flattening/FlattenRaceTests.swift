import Reactive
import ReactiveTesting
import Testing

@Suite struct FlattenRaceTests {
  private static func expect(
    _ source: Marbles,
    _ expected: Marbles,
    _ inner: [String: Marbles],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectMarbles(source, expected, sourceLocation: sourceLocation) { signal, time in
      signal.map { time.cold(inner[$0] ?? "|") }.flattenRace()
    }
  }

  @Test func theFirstToSendIsForwarded() {
    Self.expect("-A-B-----C-|", "-----3-4-|", ["A": "-----1-2-|", "B": "--3-4-|", "C": "9|"])
  }

  @Test func completingOrFailingFirstAlsoWinsTheRace() {
    Self.expect("A-B-------|", "----|", ["A": "---------1-|", "B": "--|"])
    Self.expect("A-B-------|", "----#", ["A": "---------1-|", "B": "--#"])
  }

  @Test func withoutInnerSignalsItEndsAsTheSourceDoes() {
    Self.expect("---|", "---|", [:])
    Self.expect("---#", "---#", [:])
  }

  @Test func theSourceMayCompleteBeforeAnInnerSignalSends() {
    Self.expect("AB|", "----2-|", ["A": "------1|", "B": "---2-|"])
  }

  @Test func aFailureOfTheSourceEndsTheRace() {
    Self.expect("A--#", "---#", ["A": "------1|"])
  }

  @Test func theFirstEventDisposesOfTheOtherSignalsAndTheSource() {
    let time = TestScheduler()
    let slow = MarbleSource(cold: "-----1", on: time)
    let quick = MarbleSource(cold: "-2---2-|", on: time)
    let outer = MarbleSource(cold: "sq----s", on: time)
    let seen = outer.signal.map { $0 == "s" ? slow.signal : quick.signal }.flattenRace().recorded()
    time.run()
    #expect(outer.subscriptions.map(\.ended) == [.frames(2)])
    #expect(slow.subscriptions.map(\.ended) == [.frames(2)])
    #expect(seen.events == [.next("2"), .next("2"), .completed])
  }

  @Test func takeEndsAnEndlessInnerSignalThatWasSentReentrantly() {
    let outer = Subject<Signal<Int, Never>, Never>()
    let other = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    Signal.merge([outer.signal.flattenRace(), other.signal]).take(4).subscribe(
      next: { value in
        seen.next(value)
        if value == -1 { outer.send(endless()) }
      },
      completed: { seen.complete() }
    )
    other.send(-1)
    #expect(seen.events == [.next(-1), .next(0), .next(1), .next(2), .completed])
  }

  @Test func endsWithoutAnEventWhenNothingCanSend() {
    let outer = Box<Subject<Signal<Int, Never>, Never>>(Subject())
    let inner = Box<Subject<Int, Never>>(Subject())
    let seen = outer.value?.signal.flattenRace().recorded()
    if let signal = inner.value?.signal { outer.value?.send(signal) }
    outer.value = nil
    #expect(seen?.isDisposed == false)
    inner.value = nil
    #expect(seen?.isDisposed == true)
    #expect(seen?.events.isEmpty == true)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("flattenRace", .endsEarly) { source in
      source.map { .just($0) }.flattenRace()
    }
  }
}
