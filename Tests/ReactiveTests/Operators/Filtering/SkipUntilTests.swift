import Reactive
import ReactiveTesting
import Testing

@Suite struct SkipUntilTests {
  @Test func opensWhenTheTriggerSends() {
    expectMarbles("-1-2-3-4-|", "----x-", "-----3-4-|") { $0.skip(until: $1) }
  }

  @Test func opensWhenTheTriggerCompletes() {
    expectMarbles("-1-2-3-4-|", "----|", "-----3-4-|") { $0.skip(until: $1) }
  }

  @Test func aTriggerThatFailsKeepsItClosed() {
    expectMarbles("-1-2-|", "--#", "-----|") { $0.skip(until: $1) }
  }

  @Test func theEndOfTheSourceEndsItWhetherOpenOrNot() {
    expectMarbles("-1-#", "------x", "---#") { $0.skip(until: $1) }
    expectMarbles("-1-|", "------x", "---|") { $0.skip(until: $1) }
    expectMarbles("-1-#", "x", "-1-#") { $0.skip(until: $1) }
  }

  @Test func aTriggerThatFiresAtOnceSkipsNothing() {
    let numbers = Signal<Int, Never>.from([1, 2])
    let seen = numbers.skip(until: Signal<Void, Never>.just(())).recorded()
    #expect(seen.events == [.next(1), .next(2), .completed])
  }

  @Test(.timeLimit(.minutes(30))) func anEndlessTriggerIsEndedByItsFirstValue() {
    let seen = Signal<Int, Never>.just(1).skip(until: endless()).recorded()
    #expect(seen.events == [.next(1), .completed])
  }

  @Test func theTriggerIsDisposedOfWhenItHasFired() {
    let time = TestScheduler()
    let trigger = MarbleSource(cold: "--x--y", on: time)
    let seen = time.cold("-").skip(until: trigger.signal).recorded()
    time.advance(by: .frames(9))
    #expect(trigger.subscriptions.map(\.ended) == [.frames(2)])
    #expect(!seen.isDisposed)
    seen.dispose()
  }

  @Test func theTriggerIsDisposedOfWithTheSource() {
    let time = TestScheduler()
    let trigger = MarbleSource(cold: "-", on: time)
    _ = time.cold("-1-|").skip(until: trigger.signal).recorded()
    time.run()
    #expect(trigger.subscriptions.map(\.ended) == [.frames(3)])
  }

  @Test func aTriggerThatIsGoneKeepsItClosed() {
    let source = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    do {
      let trigger = Subject<Void, Never>()
      seen.record(source.signal.skip(until: trigger.signal))
    }
    source.send(1)
    source.complete()
    #expect(seen.events == [.completed])
  }

  @Test func aTriggerThatFiresDuringADeliveryTakesEffectAtOnce() {
    let source = Subject<Int, Never>()
    let trigger = Subject<Void, Never>()
    let seen = source.signal
      .doNext { if $0 == 1 { trigger.send() } }
      .skip(while: { $0 == 0 })
      .skip(until: trigger.signal)
      .recorded()
    for value in 0...2 { source.send(value) }
    #expect(seen.values == [1, 2])
  }

  @Test(.tags(.stress)) func aTriggerOnAnotherThreadOpensPermanently() {
    for _ in 0..<scaledCount(200) {
      let source = Subject<Int, Never>()
      let trigger = Subject<Void, Never>()
      let seen = source.signal.skip(until: trigger.signal).recorded()
      onPlainThreads(2) { index in
        if index == 0 { for value in 0..<50 { source.send(value) } } else { trigger.send() }
      }
      source.send(50)
      #expect(seen.values == Array(51 - seen.values.count...50))
    }
  }

  @Test func disposalFromInsideItsTriggerKeepsTheSourceFromBeingSubscribedTo() {
    let held = SerialDisposable()
    let starts = Counter()
    let source = Signal<Int, Never>.just(1).doStarted { starts.add() }
    let trigger = Signal<Int, Never>.never().doStarted { held.dispose() }
    let seen = Recorder<Int, Never>()
    source.skip(until: trigger).subscribe(started: { held.inner = $0 }, next: { seen.next($0) })
    #expect(starts.value == 0)
    #expect(seen.events.isEmpty)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("skip(until:)") { $0.skip(until: Signal<Int, Never>.never()) }
    checkOperatorContract("skip(until:)") { $0.skip(until: Signal<Int, Never>.just(1)) }
    checkOperatorContract("skip(until:)") { $0.skip(until: $0) }
  }
}
