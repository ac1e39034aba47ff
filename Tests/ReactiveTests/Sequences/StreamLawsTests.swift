import Reactive
import Testing

/// The laws of streams, checked on random lists; `LawsTests` checks those of signals.
@Suite struct StreamLawsTests {
  private static let seeds = 1...500

  /// A random list of up to seven numbers, made in one of several ways.
  private static func list(_ seeds: Int...) -> LazyList<Int> {
    var state = seeds.reduce(0x9E37_79B9 as UInt64) {
      ($0 ^ UInt64(bitPattern: Int64($1))) &* 0x100_0000_01B3
    }
    func roll(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let elements = (0..<roll(8)).map { _ in roll(100) }
    return switch roll(4) {
    case 0: elements.lazyList
    case 1: elements.lazyList.eager
    case 2: elements.reversed().reduce(.empty()) { $0.startWith($1) }
    default: LazyList.deferred { elements.lazyList }.filter { _ in true }
    }
  }

  private static func function(_ seed: Int) -> @Sendable (Int) -> LazyList<Int> {
    { list(seed, $0) }
  }

  @Test func theRandomListsDiffer() {
    #expect(Set(Self.seeds.map { Self.list($0) }).count > 400)
  }

  @Test func justIsALeftIdentityOfFlatMap() {
    for seed in Self.seeds {
      let f = Self.function(1)
      #expect(LazyList.just(seed).flatMap(f) == f(seed), "seed \(seed)")
    }
  }

  @Test func justIsARightIdentityOfFlatMap() {
    for seed in Self.seeds {
      #expect(Self.list(seed).flatMap { .just($0) } == Self.list(seed), "seed \(seed)")
    }
  }

  @Test func flatMapIsAssociative() {
    for seed in Self.seeds {
      let (list, f, g) = (Self.list(seed), Self.function(seed + 1), Self.function(seed + 2))
      #expect(list.flatMap(f).flatMap(g) == list.flatMap { f($0).flatMap(g) }, "seed \(seed)")
    }
  }

  @Test func mapIsFlatMapWithJust() {
    for seed in Self.seeds {
      let list = Self.list(seed)
      #expect(list.map { $0 * 3 } == list.flatMap { .just($0 * 3) }, "seed \(seed)")
    }
  }

  @Test func concatIsAMonoidWithEmpty() {
    for seed in Self.seeds {
      let (a, b, c) = (Self.list(seed), Self.list(seed, 1), Self.list(seed, 2))
      #expect(LazyList.empty().concat(a) == a && a.concat(.empty()) == a, "seed \(seed)")
      #expect(a.concat(b).concat(c) == a.concat(b.concat(c)), "seed \(seed)")
    }
  }

  @Test func zipIsNatural() {
    for seed in Self.seeds {
      let (a, b) = (Self.list(seed), Self.list(seed, 1))
      let left = zip(a.map { $0 * 3 }, b.map { -$0 }).map { [$0, $1] }
      #expect(left == zip(a, b).map { [$0 * 3, -$1] }, "seed \(seed)")
    }
  }

  @Test func zipIsAssociative() {
    for seed in Self.seeds {
      let (a, b, c) = (Self.list(seed), Self.list(seed, 1), Self.list(seed, 2))
      let left = zip(zip(a, b), c).map { [$0.0, $0.1, $1] }
      #expect(left == zip(a, zip(b, c)).map { [$0, $1.0, $1.1] }, "seed \(seed)")
      #expect(left == zip(a, b, c).map { [$0, $1, $2] }, "seed \(seed)")
    }
  }

  @Test func zipLosesNothing() {
    for seed in Self.seeds {
      let list = Self.list(seed)
      let pairs = list.map { ($0 / 10, $0 % 10) }
      let joined = zip(pairs.map { $0.0 }, pairs.map { $0.1 }).map { $0 * 10 + $1 }
      #expect(joined == list, "seed \(seed)")
    }
  }
}
