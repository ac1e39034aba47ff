import Reactive
import ReactiveTesting
import Testing

@Suite struct FlattenPolicyTests {
  private static let inner: [String: Marbles] = ["a": "1-2-3-4-|", "b": "5-6-7-8-|", "c": "x-y-|"]

  private static func expect(
    _ source: Marbles,
    _ expected: Marbles,
    limit: Int,
    _ policy: FlattenPolicy,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectMarbles(source, expected, sourceLocation: sourceLocation) { signal, time in
      signal.map { time.cold(inner[$0] ?? "|") }.flatten(limit: limit, policy: policy)
    }
  }

  @Test func queuedSignalsWait() {
    Self.expect("a-c|", "1-2-3-4-x-y-|", limit: 1, .queue)
    Self.expect("(abc)|", "(15)-(26)-(37)-(48)-x-y-|", limit: 2, .queue)
  }

  @Test func theEarliestSignalIsDisposedOf() {
    Self.expect("-a-b|", "-1-5-6-7-8-|", limit: 1, .disposeEarliest)
    Self.expect("ab-c|", "152(6x)-(7y)-8-|", limit: 2, .disposeEarliest)
  }

  @Test func theLatestSignalIsDisposedOf() {
    Self.expect("-a-b|", "-1-5-6-7-8-|", limit: 1, .disposeLatest)
    Self.expect("ab-c|", "152x3y4-|", limit: 2, .disposeLatest)
  }

  @Test func belowTheLimitNoSignalIsDisposedOf() {
    Self.expect("a-c|", "1-(2x)-(3y)-4-|", limit: 2, .disposeEarliest)
    Self.expect("a-c|", "1-(2x)-(3y)-4-|", limit: 2, .disposeLatest)
  }

  @Test func aCompletedSignalDoesNotCountTowardsTheLimit() {
    let time = TestScheduler()
    let long = MarbleSource(cold: "-----1-|", on: time)
    let signals = ["s": time.cold("-|"), "l": long.signal]
    let seen = time.cold("(ls)---(s)|").map { signals[$0] ?? .empty() }
      .flatten(limit: 2, policy: .disposeEarliest)
      .recorded()
    time.run()
    #expect(seen.values == ["1"])
    #expect(long.subscriptions.map(\.ended) == [.frames(7)])
  }

  @Test(arguments: [FlattenPolicy.disposeEarliest, .disposeLatest])
  func theOldSignalIsDisposedOfBeforeTheNewOneIsSubscribedTo(_ policy: FlattenPolicy) {
    let order = Recorder<String, Never>()
    let outer = Subject<Int, Never>()
    let subscription = outer.signal
      .map { number in
        Signal<Int, Never>.create { observer in
          order.next("subscribe \(number)")
          observer.onDispose {
            order.next("dispose \(number)")
            withExtendedLifetime(observer) {}
          }
        }
      }
      .flatten(limit: 1, policy: policy)
      .subscribe()
    outer.send(1)
    outer.send(2)
    #expect(order.values == ["subscribe 1", "dispose 1", "subscribe 2"])
    subscription.dispose()
  }

  @Test func theFirstFailureEndsAll() {
    expectMarbles("a----|", "--#") { signal, time in
      signal.map { _ in time.cold("--#") }.flatten(limit: 2, policy: .disposeLatest)
    }
    expectMarbles("a--#", "1-2#") { signal, time in
      signal.map { _ in time.cold("1-2-3-4-") }.flatten(limit: 2, policy: .disposeEarliest)
    }
  }

  @Test(arguments: [FlattenPolicy.queue, .disposeEarliest, .disposeLatest])
  func takeEndsAnEndlessInnerSignalThatWasSentReentrantly(_ policy: FlattenPolicy) {
    let outer = Subject<Signal<Int, Never>, Never>()
    let first = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    outer.signal.flatten(limit: 1, policy: policy).take(4).subscribe(
      next: { value in
        seen.next(value)
        if value == -1 {
          outer.send(endless())
          first.complete()
        }
      },
      completed: { seen.complete() }
    )
    outer.send(first.signal)
    first.send(-1)
    #expect(seen.events == [.next(-1), .next(0), .next(1), .next(2), .completed])
  }

  @Test func runningSignalsAreFreedWithTheSubscription() {
    let lives = LifeCount()
    let outer = Subject<Int, Never>()
    let subscription = outer.signal
      .map { [lives] _ in
        Signal<Int, Never>.create { [token = lives.token()] observer in
          observer.onDispose { withExtendedLifetime((observer, token)) {} }
        }
      }
      .flatten(limit: 2, policy: .disposeEarliest)
      .subscribe()
    for number in 0..<5 { outer.send(number) }
    #expect(lives.count == 2)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test func aLimitOfZeroTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Signal<Signal<Int, Never>, Never>.never().flatten(limit: 0, policy: .disposeLatest)
    }
  }

  @Test func obeysTheOperatorContract() {
    for policy in [FlattenPolicy.queue, .disposeEarliest, .disposeLatest] {
      checkOperatorContract("flatten(limit:policy:)") { source in
        source.map { .just($0) }.flatten(limit: 2, policy: policy)
      }
    }
  }
}
