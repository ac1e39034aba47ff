import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

extension Signal {
  /// Forwards each value and counts the values in its state, as another package would.
  fileprivate func numbered(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, Failure> {
    .operator(Site("numbered", file, line, column, .passes), inputs: self, state: 0) { stage in
      stage.subscribe(to: self) { turn, value in
        turn.state += 1
        turn.send(value)
      }
    }
  }

  /// Forwards the signal made from the latest value, and disposes of the previous one.
  fileprivate func newest(
    _ make: @escaping @Sendable (Value) -> Signal,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("newest", file, line, column, [.merging, .flattens])
    return .operator(site, inputs: self, state: (any Disposable)?.none) { stage in
      stage.subscribe(to: self) { turn, value in
        turn.state?.dispose()
        turn.state = stage.subscribe(to: make(value)) { turn, value in turn.send(value) }
      }
    }
  }

  /// Holds values until `trigger` sends.
  fileprivate func held(
    until trigger: Signal<Value, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("held(until:)", file, line, column, [.queues, .triggers])
    return .operator(site, inputs: self, trigger, state: [Value]()) { stage in
      stage.subscribe(to: trigger, completed: { _ in }) { turn, _ in
        for value in turn.state { turn.send(value) }
        turn.state = []
        turn.holds(0)
      }
      stage.subscribe(to: self, completed: { $0.complete() }) { turn, value in
        turn.state.append(value)
        turn.holds(turn.state.count)
      }
    }
  }
}

@Suite struct OperatorTests {
  @Test func sendsTheEventsThatItsHandlersSend() {
    expectMarbles("-1-2-|", "-1-2-|") { $0.numbered() }
    expectMarbles("-1-2-#", "-1-2-#") { $0.numbered() }
    expectMarbles("-1-2--3|", "-----1--", "-----(12)-|") { $0.held(until: $1) }
  }

  @Test func endsWithTheLastOfItsSubscriptions() {
    let (outer, inner) = (Subject<Int, TestFailure>(), Subject<Int, TestFailure>())
    let seen = Recorder<Int, TestFailure>()
    seen.record(outer.signal.newest { _ in inner.signal })
    outer.send(1)
    outer.complete()
    inner.send(2)
    #expect(!seen.hasEnded)
    inner.complete()
    #expect(seen.values == [2] && seen.isCompleted)
  }

  @Test func dropsEventsOfASubscriptionThatItHasEnded() {
    let outer = Subject<Int, TestFailure>()
    let inners = [Subject<Int, TestFailure>(), Subject<Int, TestFailure>()]
    let seen = Recorder<Int, TestFailure>()
    seen.record(outer.signal.newest { inners[$0].signal })
    outer.send(0)
    inners[0].send(1)
    outer.send(1)
    inners[0].send(2)
    inners[1].send(3)
    #expect(seen.values == [1, 3])
    #expect(!inners[0].hasObservers && inners[1].hasObservers)
    inners[1].fail(TestFailure())
    #expect(seen.hasEnded && !outer.hasObservers)
  }

  @Test func handlesEventsThatItCausesAfterTheCurrentOne() {
    let source = Subject<Int, TestFailure>()
    let seen = Recorder<Int, TestFailure>()
    let echo = source.signal.numbered().doNext { if $0 < 3 { source.send($0 + 1) } }
    seen.record(echo)
    source.send(1)
    #expect(seen.values == [1, 2, 3] || seen.values == [3, 2, 1])
    #expect(seen.values.count == 3)
    // Completion breaks the retain cycle between the subject and its subscription.
    source.complete()
  }

  @Test func releasesItsStateAtTheEnd() {
    let (source, lives) = (Subject<Int, TestFailure>(), LifeCount())
    let signal = Signal<Int, TestFailure>.operator(
      Site("keeping", #fileID, #line, #column),
      inputs: source.signal,
      state: lives.token()
    ) { stage in
      stage.subscribe(to: source.signal) { turn, value in
        turn.state.touch()
        turn.send(value)
      }
    }
    let subscription = signal.subscribe(next: { _ in }, failed: { _ in })
    source.send(1)
    #expect(lives.count == 1)
    subscription.dispose()
    #expect(lives.count == 0 && !source.hasObservers)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("numbered") { $0.numbered() }
    checkOperatorContract("newest") { $0.newest { .just($0) } }
  }

  /// The trace contains everything that rxtop shows about the operator.
  @Test func itsSiteAndItsInputsAreInTheTrace() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let (source, trigger) = (Subject<Int, TestFailure>(), Subject<Int, TestFailure>())
      let subscription = source.signal.held(until: trigger.signal).subscribe(
        next: { _ in },
        failed: { _ in }
      )
      source.send(1)
      let snapshot = try TraceReader(path: try #require(Trace.path)).snapshot()
      let site = try #require(snapshot.sites.first { $0.name == "held(until:)" })
      #expect(site.traits.fate == .queues && site.traits.inputs == .triggers)
      let stage = try #require(
        snapshot.slots.first { $0.kind == .subscription && $0.site == site.index }
      )
      #expect(stage.depth == 1)
      let signal = try #require(snapshot.slots.first { $0.id.rawValue == stage.signal })
      let inputs = snapshot.slots.filter { $0.kind == .subscription && $0.link == stage.id }
      let upstreams = Set([signal.link.rawValue] + signal.moreUpstreams.map(\.rawValue))
      #expect(inputs.count == 2 && Set(inputs.map(\.signal)) == upstreams)
      subscription.dispose()
    }
  }
}
