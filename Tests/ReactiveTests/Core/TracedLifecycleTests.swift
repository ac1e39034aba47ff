import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

/// In a trace, each stage of a subscription (the part of one operator) begins, ends and is released
/// once.
@Suite struct TracedLifecycleTests {
  private static func snapshot() throws -> TraceSnapshot {
    let path = try #require(Trace.path)
    return try TraceReader(path: path, recordLimit: 1 << 16).snapshot()
  }

  private static func chain(_ subject: Subject<Int, Never>) -> Signal<Int, Never> {
    subject.signal.map { $0 }.filter { $0 > 0 }.scan(0, +).map { $0 }.skip(0)
  }

  private static let stages = ["subscribe", "skip", "map", "scan", "filter", "map", "Subject"]

  @Test(arguments: ["dispose", "complete", "gone"])
  func eachStageBeginsEndsAndIsReleasedInOrder(_ end: String) async {
    await #expect(processExitsWith: .success) { [end] in
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      var subject: Subject<Int, Never>? = Subject()
      do {
        let signal = try #require(subject.map(Self.chain))
        let disposable = signal.subscribe()
        for value in 0..<3 { subject?.send(value) }
        if end == "dispose" { disposable.dispose() }
      }
      if end == "complete" { subject?.complete() }
      subject = nil
      let now = try Self.snapshot()
      let begun = now.records.filter { $0.kind == .subscribed }
      let names = begun.map { now.sites[Int($0.argument)].name }
      #expect(names == Self.stages)
      let upwards = begun.map(\.id)
      let ended = now.records.filter { $0.kind == .ended }
      #expect(ended.map(\.id) == upwards.reversed())
      let reason: EndReason =
        end == "dispose" ? .cancelled : end == "complete" ? .completed : .sourceGone
      #expect(ended.allSatisfy { $0.endReason == reason })
      let released = now.records.filter { $0.kind == .subscriptionReleased }
      #expect(Set(released.map(\.id)) == Set(upwards))
      #expect(released.count == upwards.count)
      #expect(now.slots.filter { $0.kind == .subscription }.isEmpty)
      // Three values were sent, two of which pass the filter.
      let counts = upwards.map { id in
        now.records.filter { $0.kind == .next && $0.id == id }.count
      }
      #expect(counts == [2, 2, 2, 2, 2, 3, 3])
    }
  }

  @Test func aStageThatItsSourceDoesNotRetainIsAliveUntilItEnds() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let disposable = Signal<Int, Never>.never().map { $0 }.subscribe()
      var now = try Self.snapshot()
      let alive = now.slots.filter { $0.kind == .subscription }
      #expect(alive.count == 3)
      #expect(alive.allSatisfy { $0.state == .active })
      #expect(!now.records.contains { $0.kind == .subscriptionReleased })
      disposable.dispose()
      now = try Self.snapshot()
      #expect(now.slots.filter { $0.kind == .subscription }.isEmpty)
      #expect(now.records.filter { $0.kind == .ended }.count == 3)
      #expect(now.records.filter { $0.kind == .subscriptionReleased }.count == 3)
    }
  }

  @Test func aSignalIsListedFromItsCreationToItsRelease() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      func listed() -> [String] {
        ActiveSignals.snapshot().signals.filter { $0.name == "ticks" }.map {
          "\($0.operatorName): \($0.state)"
        }
      }
      let subject = Subject<Int, Never>()
      var signal: Signal<Int, Never>? = subject.signal.map { $0 }.named("ticks")
      #expect(listed() == ["map: created"], "\(listed())")
      let first = signal?.subscribe()
      let second = signal?.subscribe()
      first?.dispose()
      #expect(listed() == ["map: active"], "\(listed())")
      second?.dispose()
      #expect(listed() == ["map: inactive"], "\(listed())")
      signal = nil
      #expect(listed() == [], "\(listed())")
    }
  }

  /// A running subscription does not hold its signal, but the trace still lists the signal.
  @Test(arguments: ["map", "take"])
  func aSignalIsListedWhileASubscriptionOfItRuns(_ name: String) async {
    await #expect(processExitsWith: .success) { [name] in
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let subject = Subject<Int, Never>("numbers")
      func chain() -> Signal<Int, Never> {
        let numbers = subject.signal.filter { $0 > 0 }
        return (name == "map" ? numbers.map { $0 } : numbers.take(5)).named("positive")
      }
      let disposable = chain().subscribe()
      subject.send(1)
      var now = try Self.snapshot()
      func signals() -> [String] {
        now.slots.filter { $0.kind == .signal }.sorted { $0.serial < $1.serial }.map { slot in
          let name = slot.signal == 0 ? now.sites[Int(slot.site)].name : now.string(slot.signal)
          return "\(name): \(slot.state), \(slot.depth)"
        }
      }
      let running = ["numbers: active, 1", "filter: active, 1", "positive: active, 1"]
      #expect(signals() == running, "\(signals())")
      #expect(ActiveSignals.snapshot().signals.map(\.name) == ["numbers", "filter", "positive"])
      let owners = now.slots.filter { $0.kind == .signal }.sorted { $0.serial < $1.serial }
      #expect(owners.map(\.owner) == [0, 1, 1])
      disposable.dispose()
      now = try Self.snapshot()
      #expect(signals() == ["numbers: inactive, 0"], "\(signals())")
      #expect(now.records.filter { $0.kind == .signalReleased }.count == 2)
      #expect(now.sites.reduce(0) { $0 + $1.signalsReleased } == 2)
    }
  }

  /// The signal is released while nothing is recorded: by the end of its last subscription, or by
  /// the release of the `Signal` object after that end.
  @Test(arguments: [false, true])
  func aSignalReleasedWhileRecordingIsStoppedIsCountedAsReleased(_ endsFirst: Bool) async {
    await #expect(processExitsWith: .success) { [endsFirst] in
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let subject = Subject<Int, Never>()
      var signal: Signal<Int, Never>? = subject.signal.map { $0 }
      let disposable = signal?.subscribe()
      if !endsFirst { signal = nil }
      Trace.stop()
      disposable?.dispose()
      if endsFirst { signal = nil }
      try PrivateTrace.start()
      let now = try Self.snapshot()
      #expect(now.slots.filter { $0.kind == .signal }.count == 1)
      #expect(now.sites.reduce(0) { $0 + $1.signalsReleased } == 1)
    }
  }

  @Test func valuesOfASubjectFromBeforeTheRecordingAreRecorded() async {
    await #expect(processExitsWith: .success) {
      defer { PrivateTrace.remove() }
      let subject = Subject<Int, Never>()
      try PrivateTrace.start()
      let seen = subject.signal.filter { $0 > 1 }.recorded()
      for value in 1...3 { subject.send(value) }
      subject.complete()
      #expect(seen.values == [2, 3])
      let now = try Self.snapshot()
      let begun = now.records.filter { $0.kind == .subscribed }
      let names = begun.map { now.sites[Int($0.argument)].name }
      #expect(names == ["subscribe", "filter", "Subject"])
      let counts = begun.map { one in
        now.records.filter { $0.kind == .next && $0.id == one.id }.count
      }
      #expect(counts == [2, 2, 3])
      #expect(now.records.filter { $0.kind == .subscriptionReleased }.count == 3)
      #expect(now.slots.filter { $0.kind == .subscription }.isEmpty)
    }
  }

  /// Requests 80 sites (operators with their lines) three times in the same order; the two sites of
  /// each line displace each other in the cache of the thread.
  @Test func aSiteKeepsItsNumberHoweverManySitesThereAre() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let lines = UInt32(1)...40
      let numbers = (1...3).map { _ in
        lines.flatMap { line in
          ["map", "filter"].map { name in
            let literal: StaticString = name == "map" ? "map" : "filter"
            return Tracer.site(literal, traits: [], file: "App/main.swift", line: line, column: 8)
          }
        }
      }
      #expect(numbers[0] == numbers[1] && numbers[1] == numbers[2])
      #expect(Set(numbers[0]).count == 80)
      let sites = try Self.snapshot().sites
      for (index, number) in numbers[0].enumerated() {
        let site = sites[Int(number)]
        #expect(site.line == UInt32(1 + index / 2))
        #expect(site.name == (index % 2 == 0 ? "map" : "filter"))
      }
    }
  }

  @Test func aSubscriptionIsNotReleasedWhileTheProgramHoldsItsObserver() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let box = Box<Observer<Int, Never>>()
      let signal = Signal<Int, Never>.create { box.value = $0 }
      signal.subscribe().dispose()
      var now = try Self.snapshot()
      let kept = now.slots.filter { $0.kind == .subscription }
      #expect(kept.map(\.state) == [.ended])
      #expect(kept.map { now.sites[Int($0.site)].name } == ["create"])
      box.value = nil
      now = try Self.snapshot()
      #expect(now.slots.filter { $0.kind == .subscription }.isEmpty)
    }
  }

  /// Each subscription starts or stops the recording while only some of its stages have begun.
  @Test func recordingThatBeginsOrEndsDuringSubscriptionsLeavesNothingBehind() async {
    await #expect(processExitsWith: .success) {
      defer { PrivateTrace.remove() }
      let subject = Subject<Int, Never>()
      let switching = Signal<Int, Never>.deferred {
        if Tracer.isOn {
          Trace.stop()
        } else {
          try? PrivateTrace.start()
        }
        return subject.signal.map { $0 }.filter { $0 > 0 }
      }
      let signal = switching.map { $0 }.scan(0, +)
      for _ in 0..<4 {
        let disposable = signal.map { $0 }.subscribe()
        subject.send(1)
        disposable.dispose()
        signal.map { $0 }.subscribe().dispose()
      }
      if !Tracer.isOn { try PrivateTrace.start() }
      let now = try Self.snapshot()
      #expect(now.slots.filter { $0.kind == .subscription }.isEmpty)
      #expect(now.sites.allSatisfy { $0.live == 0 })
      #expect(now.sites.allSatisfy { $0.released == $0.subscribed })
      #expect(now.sites.reduce(0) { $0 + $1.subscribed } > 0)
    }
  }

  @Test(.tags(.stress)) func noRecordIsLostWhenThreadsDisposeOfEachOthersSubscriptions() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start(size: 4 << 20)
      defer { PrivateTrace.remove() }
      let count = scaledCount(2000)
      let subject = Subject<Int, Never>()
      let signal = Self.chain(subject)
      let inner = subject.signal.map { $0 }.filter { $0 > 0 }
      let nested = subject.signal.flatMapLatest { _ in inner.map { $0 } }
      let held = (0..<64).map { _ in SerialDisposable() }
      onPlainThreads(8) { index in
        for round in 0..<count {
          let slot = held[(round * 7 + index * 13) % held.count]
          slot.inner = round % 3 == 0 ? nested.subscribe() : signal.subscribe()
          if round % 16 == index { subject.send(round) }
        }
      }
      for one in held { one.dispose() }
      let now = try Self.snapshot()
      #expect(now.slots.filter { $0.kind == .subscription }.isEmpty)
      for site in now.sites {
        #expect(site.live == 0, "\(site.name)")
        #expect(site.subscribed == site.ended.reduce(0, +), "\(site.name)")
        #expect(site.subscribed == site.released, "\(site.name)")
      }
      #expect(now.sites.contains { $0.name == "flatMapLatest" && $0.subscribed > 0 })
    }
  }
}
