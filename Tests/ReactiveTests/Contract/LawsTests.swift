import Reactive
import ReactiveTesting
import Testing

/// The laws of streams, checked on random signals: values and ends come at random times, no two at
/// the same time, and both the events and their times are compared.
@Suite struct LawsTests {
  private typealias Numbers = Signal<Int, TestFailure>

  /// A small random number generator: the same seed gives the same numbers.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64

    init(_ seeds: Int...) {
      state = seeds.reduce(0x9E37_79B9) { ($0 ^ UInt64(bitPattern: Int64($1))) &* 0x100_0000_01B3 }
    }

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  /// Sends up to five values, then usually completes, sometimes fails, and sometimes never ends.
  private static func signal(
    _ dice: Dice,
    on time: TestScheduler,
    mayFail: Bool = true
  ) -> Numbers {
    .create { observer in
      var dice = dice
      func pause() -> Duration { .nanoseconds(Int.random(in: 1...1_000_000_000, using: &dice)) }
      var due = Duration.zero
      var events: [Event<Int, TestFailure>] = (0..<Int.random(in: 0...5, using: &dice)).map { _ in
        .next(Int.random(in: 0..<100, using: &dice))
      }
      switch Int.random(in: 0..<8, using: &dice) {
      case 0 where mayFail:
        events.append(.failed(TestFailure(code: Int.random(in: 0..<100, using: &dice))))
      case 1: observer.onDispose { withExtendedLifetime(observer) {} }
      default: events.append(.completed)
      }
      for event in events {
        due += pause()
        observer.disposables.add(time.schedule(after: due) { observer.send(event) })
      }
    }
  }

  /// The events of a signal, each with its time.
  private static func played<Value: Sendable>(
    _ make: (TestScheduler) -> Signal<Value, TestFailure>
  ) -> [String] {
    let time = TestScheduler()
    let seen = make(time).recorded(at: time)
    time.run()
    defer { seen.dispose() }
    return seen.entries.map { "\($0.time): \($0.event)" }
  }

  private static func expectEqual<Value: Sendable>(
    _ seed: Int,
    _ left: (TestScheduler) -> Signal<Value, TestFailure>,
    _ right: (TestScheduler) -> Signal<Value, TestFailure>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (first, second) = (played(left), played(right))
    #expect(first == second, "seed \(seed)", sourceLocation: sourceLocation)
  }

  /// A function that maps a value to a random signal.
  private static func function(_ seed: Int, _ time: TestScheduler) -> @Sendable (Int) -> Numbers {
    { [weak time] value in
      guard let time else { return .empty() }
      return signal(Dice(seed, value), on: time)
    }
  }

  private static let seeds = 1...300

  @Test func theRandomSignalsDifferInValuesTimesAndEnds() {
    let all = Self.seeds.map { seed in Self.played { Self.signal(Dice(seed), on: $0) } }
    #expect(Set(all).count > 250)
    #expect(all.contains { $0.last?.contains("failed") == true && $0.count > 2 })
    #expect(all.contains { $0.last?.contains("completed") == true && $0.count > 5 })
    #expect(all.contains { $0.last?.contains("next") == true })
  }

  // MARK: Monad

  @Test func justIsALeftIdentityOfFlatMap() {
    for seed in Self.seeds {
      Self.expectEqual(seed) {
        Numbers.just(seed).flatMap(Self.function(1, $0))
      } _: {
        Self.function(1, $0)(seed)
      }
    }
  }

  @Test func justIsARightIdentityOfFlatMap() {
    for seed in Self.seeds {
      Self.expectEqual(seed) {
        Self.signal(Dice(seed), on: $0).flatMap { Numbers.just($0) }
      } _: {
        Self.signal(Dice(seed), on: $0)
      }
    }
  }

  @Test func flatMapIsAssociative() {
    for seed in Self.seeds {
      Self.expectEqual(seed) { time in
        Self.signal(Dice(seed), on: time)
          .flatMap(Self.function(seed + 1, time)).flatMap(Self.function(seed + 2, time))
      } _: { time in
        let (f, g) = (Self.function(seed + 1, time), Self.function(seed + 2, time))
        return Self.signal(Dice(seed), on: time).flatMap { f($0).flatMap(g) }
      }
    }
  }

  @Test func concatMapIsAssociativeInItsValues() {
    for seed in Self.seeds {
      let values: @Sendable (Int) -> @Sendable (Int) -> Signal<Int, Never> = { salt in
        { value in
          var dice = Dice(seed, salt, value)
          return .from((0..<Int.random(in: 0...3, using: &dice)).map { $0 + value })
        }
      }
      let (f, g) = (values(1), values(2))
      let source = values(0)(seed)
      let left = source.concatMap(f).concatMap(g).recorded().events
      #expect(left == source.concatMap { f($0).concatMap(g) }.recorded().events, "seed \(seed)")
    }
  }

  // MARK: Monoid

  @Test func concatIsAMonoidWithEmpty() {
    for seed in Self.seeds {
      Self.expectEqual(seed) {
        Numbers.empty().concat(Self.signal(Dice(seed), on: $0)).concat(.empty())
      } _: {
        Self.signal(Dice(seed), on: $0)
      }
      Self.expectEqual(seed) { time in
        Self.signal(Dice(seed), on: time).concat(Self.signal(Dice(seed, 1), on: time))
          .concat(Self.signal(Dice(seed, 2), on: time))
      } _: { time in
        Self.signal(Dice(seed), on: time)
          .concat(Self.signal(Dice(seed, 1), on: time).concat(Self.signal(Dice(seed, 2), on: time)))
      }
    }
  }

  // MARK: Zip

  @Test func zipIsNatural() {
    for seed in Self.seeds {
      Self.expectEqual(seed) { time in
        zip(
          Self.signal(Dice(seed), on: time).map { $0 * 3 },
          Self.signal(Dice(seed, 1), on: time).map { -$0 }
        )
        .map { "\($0) \($1)" }
      } _: { time in
        zip(Self.signal(Dice(seed), on: time), Self.signal(Dice(seed, 1), on: time))
          .map { "\($0 * 3) \(-$1)" }
      }
    }
  }

  /// The signals do not fail: an inner zip that has completed, because it can send no further pair,
  /// would not receive a failure that comes later.
  @Test func zipIsAssociative() {
    for seed in Self.seeds {
      Self.expectEqual(seed) { time in
        let (a, b, c) = Self.three(seed, time)
        return zip(zip(a, b), c).map { "\($0.0) \($0.1) \($1)" }
      } _: { time in
        let (a, b, c) = Self.three(seed, time)
        return zip(a, zip(b, c)).map { "\($0) \($1.0) \($1.1)" }
      }
      Self.expectEqual(seed) { time in
        let (a, b, c) = Self.three(seed, time)
        return zip(a, b, c).map { "\($0) \($1) \($2)" }
      } _: { time in
        let (a, b, c) = Self.three(seed, time)
        return zip(a, zip(b, c)).map { "\($0) \($1.0) \($1.1)" }
      }
    }
  }

  @Test func zipIsCommutative() {
    for seed in Self.seeds {
      Self.expectEqual(seed) { time in
        let (a, b) = (Self.signal(Dice(seed), on: time), Self.signal(Dice(seed, 1), on: time))
        return zip(a, b).map { "\($0) \($1)" }
      } _: { time in
        let (a, b) = (Self.signal(Dice(seed), on: time), Self.signal(Dice(seed, 1), on: time))
        return zip(b, a).map { "\($1) \($0)" }
      }
    }
  }

  /// Splitting a signal into two and zipping them restores the signal.
  @Test func zipLosesNothing() {
    for seed in Self.seeds {
      Self.expectEqual(seed) { time in
        let pairs = Self.signal(Dice(seed), on: time).map { ($0 / 10, $0 % 10) }
        return zip(pairs.map(\.0), pairs.map(\.1)).map { $0 * 10 + $1 }
      } _: { time in
        Self.signal(Dice(seed), on: time)
      }
    }
  }

  @Test func zipPairsLikeZipOfSequences() {
    for (left, right) in [(0, 0), (0, 3), (3, 0), (2, 5), (5, 2), (4, 4)] {
      let seen = zip(Signal<Int, Never>.from(0..<left), Signal<Int, Never>.from(0..<right))
        .map { $0 * 10 + $1 }.recorded()
      #expect(seen.values == Swift.zip(0..<left, 0..<right).map { $0 * 10 + $1 })
      #expect(seen.isCompleted)
    }
  }

  private static func three(_ seed: Int, _ time: TestScheduler) -> (Numbers, Numbers, Numbers) {
    (
      signal(Dice(seed), on: time, mayFail: false),
      signal(Dice(seed, 1), on: time, mayFail: false),
      signal(Dice(seed, 2), on: time, mayFail: false)
    )
  }
}
