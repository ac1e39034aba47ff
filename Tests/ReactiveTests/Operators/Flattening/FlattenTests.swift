import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

@Suite struct FlattenTests {
  @Test func forwardsAllInnerSignalsAtTheSameTime() {
    let inner: [String: Marbles] = ["a": "1---2-|", "b": "3---4-|"]
    expectMarbles("a-b-|", "1-3-2-4-|") { signal, time in
      signal.map { time.cold(inner[$0] ?? "|") }.flatten()
    }
  }

  @Test func completesAfterTheOuterAndAllInnerSignals() {
    expectMarbles("a-----|", "-1----|") { signal, time in
      signal.map { _ in time.cold("-1-|") }.flatten()
    }
    expectMarbles("a|", "-1---|") { signal, time in
      signal.map { _ in time.cold("-1---|") }.flatten()
    }
  }

  @Test func theFirstFailureEndsAll() {
    let time = TestScheduler()
    let other = MarbleSource(cold: "-1-1-1-1-1-|", on: time)
    let signals = [other.signal, time.cold("----#")]
    let seen = Signal.from(signals).flatten().recorded()
    time.run()
    #expect(seen.failure != nil)
    #expect(other.subscriptions.map(\.ended) == [.frames(4)])
  }

  @Test func noMoreThanTheLimitRunAtATime() {
    let time = TestScheduler()
    let inner = MarbleSource(cold: "-1--|", on: time)
    let seen = time.cold("(aaa)|").map { _ in inner.signal }.flatten(limit: 2).recorded(at: time)
    time.run()
    #expect(inner.subscriptions.map(\.began) == [.zero, .zero, .frames(4)])
    #expect(seen.values.count == 3)
    #expect(seen.isCompleted)
  }

  @Test func waitingSignalsAreFreedWithTheSubscription() {
    let time = TestScheduler()
    let inner = MarbleSource(cold: "-1-1", on: time)
    let seen = time.cold("(aaa)|").map { _ in inner.signal }.flatten(limit: 1).recorded()
    time.advance(by: .frames(2))
    seen.dispose()
    time.run()
    #expect(inner.subscriptions.count == 1)
    #expect(inner.activeCount == 0)
  }

  @Test func aLimitOfZeroTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Signal<Signal<Int, Never>, Never>.never().flatten(limit: 0)
    }
  }

  @Test func aFailureEndsRunningAndWaitingSignals() {
    let time = TestScheduler()
    let failing = MarbleSource(cold: "--#", on: time)
    let other = MarbleSource(cold: "-1-1-1|", on: time)
    let signals = [failing.signal, other.signal, other.signal]
    let seen = Signal.from(signals).flatten(limit: 2).recorded()
    time.run()
    #expect(seen.failure != nil)
    #expect(other.subscriptions.map(\.ended) == [.frames(2)])
  }

  @Test func aSignalAdmittedWhileTheGateIsTakenCanBeDisposedOfBeforeItStarts() {
    let outer = Subject<Signal<Int, Never>, Never>()
    let first = Subject<Int, Never>()
    let starts = Counter()
    let held = SerialDisposable()
    held.inner = outer.signal.flatten(limit: 2).subscribe { _ in
      outer.send(.just(2).doStarted { starts.add() })
      held.dispose()
    }
    outer.send(first.signal)
    first.send(1)
    #expect(starts.value == 0)
  }

  @Test func theNumberOfWaitingSignalsIsTheDepthInTraces() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let time = TestScheduler()
      let inner = MarbleSource(cold: "---|", on: time)
      let seen = Signal.from([inner.signal, inner.signal, inner.signal]).flatten(limit: 1)
        .recorded()
      #expect(try Self.depth() == [2])
      time.advance(by: .frames(3))
      #expect(try Self.depth() == [1])
      time.advance(by: .frames(3))
      #expect(try Self.depth() == [0])
      #expect(!seen.hasEnded)
      seen.dispose()
    }
  }

  private static func depth() throws -> [UInt32] {
    let snapshot = try TraceReader(path: Trace.path ?? "").snapshot()
    let sites = Set(snapshot.sites.filter { $0.name == "flatten(limit:)" }.map(\.index))
    return snapshot.slots.filter { $0.kind == .subscription && sites.contains($0.site) }
      .map(\.depth)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("flatten") { source in source.map { .just($0) }.flatten() }
    checkOperatorContract("flatten(limit:)") { source in
      source.map { .just($0) }.flatten(limit: 2)
    }
  }
}
