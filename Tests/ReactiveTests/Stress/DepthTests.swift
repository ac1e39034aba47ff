import Dispatch
import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

/// A million signals, one after another or nested, take no more stack than one (contract rule 10).
@Suite(.tags(.stress)) struct DepthTests {
  static let depth = scaledDepth(1_000_000)

  @Test func repeatDoesNotGrowTheStack() {
    let seen = Counter()
    let ended = Counter()
    Signal<Int, Never>.just(1).repeat(Self.depth)
      .subscribe(next: { seen.add($0) }, completed: { ended.add() })
    #expect(seen.value == Self.depth)
    #expect(ended.value == 1)
  }

  @Test func endlessRepetitionStopsFromInsideAValue() {
    let seen = Counter()
    let ended = Counter()
    Signal<Int, Never>.just(1).repeat().take(Self.depth / 10)
      .subscribe(next: { seen.add($0) }, completed: { ended.add() })
    #expect(seen.value == Self.depth / 10)
    #expect(ended.value == 1)
  }

  @Test func retryDoesNotGrowTheStack() {
    let tries = Counter()
    let failing = Signal<Int, TestFailure>.failed(TestFailure()).doFailed { _ in tries.add() }
    let seen = failing.retry(Self.depth).recorded()
    #expect(tries.value == Self.depth + 1)
    #expect(seen.events == [.failed(TestFailure())])
  }

  @Test func endlessRetriesStopFromInsideAValue() {
    let seen = Counter()
    let failing = Signal<Int, TestFailure>.just(1).concat(.failed(TestFailure()))
    failing.retry().take(Self.depth / 10).subscribe(next: { seen.add($0) }, failed: { _ in })
    #expect(seen.value == Self.depth / 10)
  }

  @Test func concatOfASequenceDoesNotGrowTheStack() {
    let seen = Counter()
    Signal.concat(repeatElement(Signal<Int, Never>.just(1), count: Self.depth))
      .subscribe { seen.add($0) }
    #expect(seen.value == Self.depth)
  }

  // MARK: Nested signals

  private static let recursive = ["concat", "append", "then", "catch", "prepend", "startWith"]

  /// A signal that continues with the next one when its own work is done.
  private static func chain(_ name: String, _ left: Int) -> Signal<Int, TestFailure> {
    if left == 0 { return .just(7) }
    let next = Signal<Int, TestFailure>.deferred { chain(name, left - 1) }
    return switch name {
    case "concat": .empty().concat(next)
    case "append": .empty().append(next)
    case "then": Signal<Int, TestFailure>.just(0).then(next)
    case "catch": .failed(TestFailure()).catch { _ in next }
    case "prepend": next.prepend(.empty())
    default: next.startWith()
    }
  }

  @Test(arguments: recursive)
  func recursionDoesNotGrowTheStack(_ name: String) {
    let seen = Self.chain(name, name == "concat" ? Self.depth : Self.depth / 10).recorded()
    #expect(seen.events == [.next(7), .completed])
  }

  @Test(arguments: recursive)
  func recursionDoesNotGrowTheStackWhereItIsTraced(_ name: String) async {
    await #expect(processExitsWith: .success) { [name] in
      try PrivateTrace.start(level: .graph)
      defer { PrivateTrace.remove() }
      let seen = DepthTests.chain(name, DepthTests.depth / 10).recorded()
      #expect(seen.events == [.next(7), .completed])
    }
  }

  @Test func aTraceOfDeepRecursionHasFewStagesButAllSources() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start(level: .events)
      defer { PrivateTrace.remove() }
      @Sendable func count(from number: Int) -> Signal<Int, Never> {
        .just(number).concat(.deferred { count(from: number + 1) })
      }
      let seen = Counter()
      count(from: 0).take(1000).subscribe { _ in seen.add() }
      #expect(seen.value == 1000)
      let sites = try TraceReader(path: try #require(Trace.path)).snapshot().sites
      let stages = sites.filter { $0.name == "concat" }.map(\.subscribed)
      #expect((64...66).contains(stages.reduce(0, +)))
      #expect(sites.filter { $0.name == "just" }.map(\.subscribed) == [1000])
    }
  }

  @Test func recursionEndsFromInsideAValue() {
    @Sendable func count(from number: Int) -> Signal<Int, Never> {
      .just(number).concat(.deferred { count(from: number + 1) })
    }
    let seen = Counter()
    count(from: 0).take(Self.depth / 10).subscribe { _ in seen.add() }
    #expect(seen.value == Self.depth / 10)
  }

  // MARK: Inner signals

  private static let flattening = [
    "flatMap", "concatMap", "flatMapLatest", "flatMapFirst", "limit",
  ]

  private static func flattened(
    _ name: String,
    _ outer: Signal<Int, Never>,
    _ transform: @escaping @Sendable (Int) -> Signal<Int, Never>
  ) -> Signal<Int, Never> {
    switch name {
    case "flatMap": outer.flatMap(transform)
    case "concatMap": outer.concatMap(transform)
    case "flatMapLatest": outer.flatMapLatest(transform)
    case "flatMapFirst": outer.flatMapFirst(transform)
    default: outer.flatMap(limit: 3, transform)
    }
  }

  @Test(arguments: flattening)
  func signalsThatEndAtOnceDoNotGrowTheStack(_ name: String) {
    let count = name == "flatMap" ? Self.depth : Self.depth / 10
    let seen = Counter()
    Self.flattened(name, .from(0..<count)) { _ in .just(1) }.subscribe { seen.add($0) }
    #expect(seen.value == count)
  }

  /// Each value starts the next signal during its delivery.
  @Test(arguments: flattening)
  func signalsStartedByTheirOwnValuesDoNotGrowTheStack(_ name: String) {
    let count = name == "flatMap" ? Self.depth : Self.depth / 10
    let outer = Subject<Int, Never>()
    let seen = Counter()
    let subscription = Self.flattened(name, outer.signal) { .just($0) }.subscribe { value in
      seen.add()
      if value < count { outer.send(value + 1) }
    }
    outer.send(1)
    #expect(seen.value == count)
    subscription.dispose()
  }

  /// Each level is the inner signal of the one before.
  private static func descent(_ left: Int) -> Signal<Int, TestFailure> {
    if left == 0 { return .from([7, 8]) }
    return Signal<Int, Never>.just(left - 1).flatMap { descent($0) }
  }

  @Test func flatMapRecursionDoesNotGrowTheStack() {
    let seen = Self.descent(Self.depth).recorded()
    #expect(seen.events == [.next(7), .next(8), .completed])
  }

  /// An inner signal that is created only when it starts (`deferred`) becomes a level of the
  /// `Descent`, which runs nested signals without recursion, like any other.
  ///
  /// Inner signals of an operator with a limit above 1 do not become levels.
  @Test(arguments: flattening.filter { $0 != "limit" })
  func recursionThroughDeferredDoesNotGrowTheStack(_ name: String) {
    @Sendable func descent(_ left: Int) -> Signal<Int, Never> {
      .deferred {
        left == 0 ? .from([7, 8]) : Self.flattened(name, .just(left - 1)) { descent($0) }
      }
    }
    let seen = descent(Self.depth / 10).recorded()
    #expect(seen.events == [.next(7), .next(8), .completed])
  }

  @Test func flatMapRecursionThatFailsEndsAll() {
    @Sendable func descent(_ left: Int) -> Signal<Int, TestFailure> {
      left == 0
        ? .failed(TestFailure(code: 3))
        : Signal<Int, TestFailure>.just(left - 1).flatMap { descent($0) }
    }
    let seen = descent(Self.depth / 10).merge(with: .never()).recorded()
    #expect(seen.events == [.failed(TestFailure(code: 3))])
  }

  @Test func flatMapRecursionEndsFromInsideAValue() {
    @Sendable func numbers(from number: Int) -> Signal<Int, Never> {
      Signal<Int, Never>.from([0, 1]).flatMap {
        $0 == 0 ? .just(number) : numbers(from: number + 1)
      }
    }
    let seen = Counter()
    let ended = Counter()
    numbers(from: 0).take(Self.depth / 10)
      .subscribe(next: { _ in seen.add() }, completed: { ended.add() })
    #expect(seen.value == Self.depth / 10)
    #expect(ended.value == 1)
  }

  @Test func disposalFreesEverythingThatALevelHolds() {
    let lives = LifeCount()
    let inner = Subject<Int, Never>()
    @Sendable func descent(_ left: Int) -> Signal<Int, Never> {
      let token = lives.token()
      if left == 0 { return inner.signal.doNext { _ in token.touch() } }
      return Signal<Int, Never>.just(left - 1).concat(.never())
        .flatMap { [token] in
          token.touch()
          return descent($0)
        }
    }
    let seen = descent(100).recorded()
    inner.send(1)
    #expect(seen.values == [1])
    #expect(lives.count == 101)
    seen.dispose()
    #expect(lives.count == 0)
  }

  @Test func flatMapRecursionDoesNotGrowTheStackWhereItIsTraced() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let seen = DepthTests.descent(20_000).recorded()
      #expect(seen.events == [.next(7), .next(8), .completed])
    }
  }

  // MARK: Release

  /// Reports when it is released.
  private final class ReleaseReporter: Sendable {
    private let released: DispatchSemaphore
    init(_ released: DispatchSemaphore) { self.released = released }
    deinit { released.signal() }
    func touch() {}
  }

  private static func makeAndReleaseChain(of count: Int, _ released: DispatchSemaphore) {
    let reporter = ReleaseReporter(released)
    var chain = Signal<Int, Never>.create { _ in reporter.touch() }
    for index in 0..<count {
      switch index % 4 {
      case 0: chain = chain.map { $0 }
      case 1: chain = chain.concat(.never())
      case 2: chain = chain.take(1)
      default: chain = chain.merge(with: .never())
      }
    }
  }

  @Test func aLongChainOfOperatorsIsReleasedWithoutGrowingTheStack() {
    let released = DispatchSemaphore(value: 0)
    Self.makeAndReleaseChain(of: Self.depth, released)
    #expect(released.wait(timeout: .now() + .seconds(300)) == .success)
  }

  /// The worker thread that releases the rest of a deep chain must hold the last reference to it,
  /// however soon the worker begins: otherwise this thread would release the rest on a small stack.
  @Test func aChainIsReleasedOnASmallStackHoweverSoonAWorkerBegins() {
    let released = DispatchSemaphore(value: 0)
    for _ in 0..<10 {
      onASmallStack { Self.makeAndReleaseChain(of: Self.depth / 20, released) }
      #expect(released.wait(timeout: .now() + .seconds(300)) == .success)
    }
  }

  // MARK: Merges in merges

  private static func merged(_ count: Int, _ first: Signal<Int, Never>) -> Signal<Int, Never> {
    (1...count).reduce(first) { $0.merge(with: .just($1)) }
  }

  @Test func mergesOfMergesDoNotGrowTheStack() {
    let count = Self.depth / 20
    let numbers = Subject<Int, Never>()
    let seen = Self.merged(count, numbers.signal).recorded()
    #expect(seen.values == Array(1...count))
    numbers.send(0)
    #expect(seen.values.last == 0)
    numbers.complete()
    #expect(seen.isCompleted)
  }

  @Test func mergesOfMergesEndFromInsideAValue() {
    let count = Self.depth / 20
    let seen = Self.merged(count, .just(0)).take(count / 2).recorded()
    #expect(seen.values == Array(0..<count / 2))
    #expect(seen.isCompleted)
  }

  @Test func mergesOfMergesDoNotGrowTheStackWhereTheyAreTraced() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      #expect(DepthTests.merged(8_000, .just(0)).recorded().values == Array(0...8_000))
    }
  }
}
