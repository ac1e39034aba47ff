import ReactiveTesting
import ReactiveTrace
import Testing
import TraceModel
import TraceReading

@testable import Reactive

/// A signal's name, composed from a trace, equals the description of the live signal.
@Suite struct ComposedNamesInternalTests {
  /// The signals whose names are compared.
  private struct Pairs {
    private var signals: [any AnySignal] = []
    private var names: [(living: String, what: String)] = []

    mutating func add(_ signal: AnyObject, _ what: String) throws {
      let signal = try #require(signal as? any AnySignal)
      signals.append(signal)
      names.append(("\(signal)", what))
    }

    func compare() throws {
      let path = try #require(Trace.path)
      let recorded = SignalNames(endOf: try TraceReader(path: path).snapshot())
      for (signal, (living, what)) in zip(signals, names) {
        #expect(recorded.name(of: signal.node.id) == living, "\(what)")
      }
    }
  }

  @Test func theComposedNameOfEveryOperatorIsThatOfItsSignal() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start(size: 64 << 20)
      defer { PrivateTrace.remove() }
      let chains = HoldsNoSignalTests.chains
      #expect(Set(chains.map(\.name)).count > 150)
      let all = WatchedSignals()
      var pairs = Pairs()
      for chain in chains { try pairs.add(chain.signal(all), chain.name) }
      try pairs.compare()
      withExtendedLifetime(all) {}
    }
  }

  @Test func theComposedNamesOfSourcesAndSignalsOfObjectsAreThoseOfTheirSignals() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      typealias Numbers = Signal<Int, Never>
      let clock = TestScheduler()
      let subject = Subject<Int, Never>()
      let replay = ReplaySubject<Int, Never>(capacity: 2)
      let property = MutableProperty(0)
      let channel = Channel<Int, Never>()
      let command = Command<Int, Int, Never>(on: clock) { .just($0) }
      let connection = subject.signal.multicast(capacity: 3)
      let sources: [Numbers] = [
        .just(1), .empty(), .never(), .from([1, 2]), .range(from: -3, count: 2),
        .from([1], on: .main), .repeating(1), subject.signal, replay.signal, property.signal,
        property.map { $0 }.signal, channel.leading.signal, channel.following.signal,
        connection.signal, connection.autoconnect(), .unfold(0) { $0 < 3 ? $0 : nil },
        subject.signal.delay(.nanoseconds(1), on: clock).delay(.seconds(1 << 40), on: clock),
        subject.signal.delay(.milliseconds(1500), on: clock).take(.max),
        .generate(0, while: { $0 < 3 }) { $0 + 1 },
      ]
      var pairs = Pairs()
      for (number, source) in sources.enumerated() { try pairs.add(source, "source \(number)") }
      try pairs.add(command.errors, "errors of a command")
      try pairs.add(command.isExecuting.signal, "whether a command runs")
      try pairs.compare()
    }
  }

  @Test func aGivenNameReplacesTheUpstreamPartAndLongNamesAreBounded() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let search = Subject<String, Never>("search")
      let signal = search.signal.distinctUntilChanged().take(3)
      let found = signal.map { $0 }.named("found")
      let long = (0..<60).reduce(found.skip(1)) { signal, _ in signal.map { $0 } }
      var pairs = Pairs()
      try pairs.add(signal, "composed")
      try pairs.add(found, "named")
      try pairs.add(long, "too deep")
      try pairs.add(signal.merge(with: signal, signal.map { $0 }), "shared")
      try pairs.compare()
      #expect("\(signal)" == "search.distinctUntilChanged().take(3)")
    }
  }

  @Test func theComposedNamesOfRandomSignalsAreThoseOfTheirSignals() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start(size: 64 << 20)
      defer { PrivateTrace.remove() }
      var random = ModelRandom(seed: 23)
      let clock = TestScheduler()
      var pairs = Pairs()
      var names: Set<String> = []
      for number in 0..<300 {
        var trees = RandomSignals(clock: clock)
        for _ in 0..<Int.random(in: 1...24, using: &random) { trees.grow(&random) }
        let signal = trees.pool[trees.pool.count - 1]
        names.insert("\(signal)")
        try pairs.add(signal, "tree \(number)")
      }
      #expect(names.count > 250)
      try pairs.compare()
    }
  }
}

/// Random signals, each made from earlier ones.
private struct RandomSignals {
  let clock: TestScheduler
  var pool: [Signal<Int, Never>] = []

  mutating func grow(_ random: inout ModelRandom) {
    func number() -> Int { Int.random(in: 0...9, using: &random) }
    func one() -> Signal<Int, Never> { pool.randomElement(using: &random) ?? .never() }
    guard pool.count > 1, number() > 1 else {
      let name = number() > 4 ? "input \(pool.count)" : nil
      return pool.append(
        number() > 4 ? Subject<Int, Never>(name).signal : .range(from: number(), count: number())
      )
    }
    let (a, b, n) = (one(), one(), number())
    let made: Signal<Int, Never> =
      switch Int.random(in: 0..<26, using: &random) {
      case 0: a.map { $0 }
      case 1: a.filter { $0 > 0 }
      case 2: a.scan(0, +)
      case 3: a.take(n)
      case 4: a.skip(last: n)
      case 5: a.element(at: n)
      case 6: a.delay(.milliseconds(n), on: clock)
      case 7: a.debounce(.seconds(n), on: clock)
      case 8: a.distinctUntilChanged()
      case 9: a.share()
      case 10: a.replay(n)
      case 11: a.deliver(on: .main)
      case 12: a.timeout(after: .microseconds(n), on: clock, switchingTo: b)
      case 13: a.take(until: b)
      case 14: a.merge(with: b)
      case 15: a.concat(b)
      case 16: a.prepend(b)
      case 17: zip(a, b) { $0 + $1 }
      case 18: combineLatest(a, b, one()) { $0 + $1 + $2 }
      case 19: a.withLatest(from: b).map { $0 + $1 }
      case 20: a.sample(on: b)
      case 21: .amb([a, b, one()])
      case 22: a.flatMap { _ in .never() }
      case 23: a.buffer(count: n + 1, skip: 1).map(\.count)
      case 24: .if(a.map { $0 > 0 }, then: b, else: one())
      default: a.named("name \(n)")
      }
    pool.append(made)
  }
}
