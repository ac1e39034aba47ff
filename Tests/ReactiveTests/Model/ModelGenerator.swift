/// Random numbers that are determined by a seed (SplitMix64).
struct ModelRandom: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Generates random trees of operators.
///
/// Events have even times; subscriptions are disposed of at odd times, when nothing else happens.
struct ModelGenerator {
  private var random: ModelRandom
  /// The events of the hot sources, to which several parts of a tree may subscribe.
  private var hot: [[Stamped]] = []

  init(seed: UInt64) { random = ModelRandom(seed: seed) }

  /// A tree, and the time at which its subscription is disposed of, if any.
  mutating func next() -> (tree: ModelTree, disposal: Int?) {
    hot = (0..<2).map { _ in events(from: 2) }
    let depth = Int.random(in: 1...4, using: &random)
    let tree = tree(depth)
    return (tree, chance(3) ? 2 * Int.random(in: 0...1_500, using: &random) + 1 : nil)
  }

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    .random(in: range, using: &random)
  }

  private mutating func time() -> Int { 2 * number(1...300) }

  private mutating func events(from start: Int) -> [Stamped] {
    var time = start
    var all: [Stamped] = []
    for _ in 0..<number(0...5) {
      all.append(Stamped(time: time, event: .next(number(0...6))))
      if !chance(3) || start > 0 { time += self.time() }
    }
    if time > start, chance(2) { time += self.time() }
    switch number(0...5) {
    case 0: break
    case 1: all.append(Stamped(time: time, event: .failed(chance(2) ? .red : .green)))
    default: all.append(Stamped(time: time, event: .completed))
    }
    return all
  }

  private mutating func tree(_ depth: Int) -> ModelTree {
    if depth == 0 || chance(8) {
      return chance(4) ? .hot(hot[number(0...1)]) : .cold(events(from: 0))
    }
    switch number(0...9) {
    case 0...4: return .unary(unary(), tree(depth - 1))
    case 5...7:
      return .binary(
        BinaryModel.allCases[number(0...BinaryModel.allCases.count - 1)],
        tree(depth - 1),
        tree(depth - 1)
      )
    default:
      let inner = (0..<number(1...3)).map { _ in tree(min(depth - 1, 1)) }
      return .flattening(
        FlatteningModel.allCases[number(0...FlatteningModel.allCases.count - 1)],
        tree(depth - 1),
        inner
      )
    }
  }

  private mutating func unary() -> UnaryModel {
    let small = number(0...3)
    let value = number(0...6)
    let span = time()
    let all: [UnaryModel] = [
      .map, .filter, .compactMap, .scan, .reduce, .collect, .count, .minimum, .maximum,
      .distinctUntilChanged, .ignoreValues, .enumerated, .combinePrevious, .materialize,
      .replaceFailure, .take(small), .skip(small), .takeLast(small), .skipLast(small),
      .elementAt(small), .takeWhile(value), .takeWhileInclusive(value), .skipWhile(value),
      .firstWhere(value), .lastWhere(value), .buffer(small + 1), .startWith(value),
      .endWith(value), .defaultIfEmpty(value), .failIfEmpty, .repeating(small), .retry(small),
      .mapFailure, .delay(span), .debounce(span), .throttle(span, latest: chance(2)), .audit(span),
      .timeoutAfter(span * 3), .timeoutEach(span * 2), .takeFor(span * 2), .skipFor(span),
      .delaySubscription(span), .forwarded, .forwarded, .throughSubject, .throughReplay, .share,
      .shareReplay, .deferred,
    ]
    return all[number(0...all.count - 1)]
  }
}
