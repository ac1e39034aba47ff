import Reactive
import ReactiveTesting
import Testing

@Suite struct MaterializeTests {
  @Test func sendsTheEventsAsValuesThenCompletes() {
    let names: [Character: String] = ["a": "next(1)", "c": "completed", "f": "failed(#)"]
    expectMarbles("-1-|", "-a-(c|)", where: names) { $0.materialize() }
    expectMarbles("-1-#", "-a-(f|)", where: names) { $0.materialize() }
    expectMarbles("---", "---") { $0.materialize() }
  }

  @Test func resultsAreValuesAndTheFailure() {
    let seen = Signal<Int, TestFailure>.just(1).concat(.failed(TestFailure())).materializeResults()
      .recorded()
    #expect(seen.values == [.success(1), .failure(TestFailure())])
    #expect(seen.isCompleted)
    #expect(Signal<Int, TestFailure>.empty().materializeResults().recorded().values.isEmpty)
  }

  @Test(arguments: ["-1-2-|", "-1-#", "-1-", "|"] as [Marbles])
  func dematerializeUndoesMaterialize(source: Marbles) {
    expectMarbles(source, source) { $0.materialize().dematerialize() }
    expectMarbles(source, source) { $0.materializeResults().dematerializeResults() }
  }

  @Test func theFirstTerminalEventEndsTheSource() {
    let cancelled = Counter()
    let events: [Event<Int, TestFailure>] = [.next(1), .failed(TestFailure()), .next(2)]
    let seen = Signal<Event<Int, TestFailure>, Never>.from(events).concat(.never())
      .doDisposed { cancelled.add() }
      .dematerialize()
      .recorded()
    #expect(seen.events == [.next(1), .failed(TestFailure())])
    #expect(cancelled.value == 1)
    let completed = Signal<Event<Int, TestFailure>, Never>.from([.completed, .next(2)])
    #expect(completed.dematerialize().recorded().events == [.completed])
  }

  @Test func theFirstFailedResultEndsTheSource() {
    let results: [Result<Int, TestFailure>] = [.success(1), .failure(TestFailure()), .success(2)]
    let seen = Signal<Result<Int, TestFailure>, Never>.from(results).dematerializeResults()
      .recorded()
    #expect(seen.events == [.next(1), .failed(TestFailure())])
  }

  @Test func aSourceThatCompletesWithoutATerminalEventCompletesIt() {
    let seen = Signal<Event<Int, TestFailure>, Never>.from([.next(1)]).dematerialize().recorded()
    #expect(seen.events == [.next(1), .completed])
  }

  @Test func nothingFollowsIfTheLastValueDisposesOfTheSubscription() {
    let subject = Subject<Int, TestFailure>()
    let seen = Recorder<Event<Int, TestFailure>, Never>()
    let held = SerialDisposable()
    held.inner = subject.signal.materialize().subscribe(
      next: { event in
        seen.next(event)
        held.dispose()
      },
      completed: { seen.complete() }
    )
    subject.fail(TestFailure())
    #expect(seen.events == [.next(.failed(TestFailure()))])
  }

  @Test func aSourceThatIsGoneSendsNoEvent() {
    let seen = Recorder<Event<Int, Never>, Never>()
    let results = Recorder<Result<Int, Never>, Never>()
    do {
      let subject = Subject<Int, Never>()
      seen.record(subject.signal.materialize())
      results.record(subject.signal.materializeResults())
    }
    #expect(seen.isDisposed && results.isDisposed)
    #expect(seen.events.isEmpty && results.events.isEmpty)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("materialize", .handlesFailure) { $0.materialize() }
    checkOperatorContract("dematerialize") { $0.materialize().dematerialize() }
    checkOperatorContract("materializeResults", .handlesFailure) { $0.materializeResults() }
    checkOperatorContract("dematerializeResults") { source in
      source.materializeResults().dematerializeResults()
    }
  }
}
