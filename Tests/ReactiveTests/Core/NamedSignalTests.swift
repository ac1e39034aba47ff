import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

/// Naming a signal that has no other users names the signal itself; otherwise it creates a second
/// signal, and the original stays unnamed.
@Suite struct NamedSignalTests {
  /// All signals of `ActiveSignals`, as `name: state subscriptions`.
  private static func listed() -> [String] {
    ActiveSignals.snapshot().signals.map { "\($0.name): \($0.state) \($0.subscriptions)" }
  }

  private static func stages() throws -> [String] {
    let now = try TraceReader(path: #require(Trace.path)).snapshot()
    return now.records.filter { $0.kind == .subscribed }.map { record in
      let signal = record.subscribing.flatMap { now.slot($0.signal) }
      let name = signal.map { now.string($0.signal) } ?? "?"
      return "\(now.sites[Int(record.argument)].name) of \(name)"
    }
  }

  @Test(arguments: ["map", "take"])
  func namingANewSignalMakesNoSecondSignal(_ kind: String) async {
    await #expect(processExitsWith: .success) { [kind] in
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let source = Signal<Int, Never>.never()
      let named =
        kind == "map" ? source.map { $0 }.named("mine") : source.take(3).named("mine")
      #expect(NamedSignalTests.listed() == ["never: created 0", "mine: created 0"])
      let subscription = named.subscribe()
      let stages = ["subscribe of mine", "\(kind) of mine", "never of "]
      #expect(try NamedSignalTests.stages() == stages)
      #expect(ActiveSignals.snapshot().active == 2)
      subscription.dispose()
      let now = try TraceReader(path: #require(Trace.path)).snapshot()
      let site = try #require(now.sites.first { $0.name == kind })
      #expect(site.signalsCreated == 1 && site.subscribed == 1 && site.live == 0)
      withExtendedLifetime(named) {}
    }
  }

  @Test func aSecondNameReplacesTheFirst() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let named = Signal<Int, Never>.never().named("first").named("second")
      #expect(NamedSignalTests.listed() == ["second: created 0"])
      #expect("\(named)" == "second")
    }
  }

  @Test func namingASignalThatIsUsedElsewhereLeavesTheOriginalUnnamed() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let subject = Subject<Int, Never>()
      let signal = subject.signal.map { $0 + 1 }
      let named = signal.named("mine")
      #expect("\(signal)" == "Subject().map(…)")
      #expect("\(named)" == "mine")
      let values = [signal, named, signal].map { $0.recorded() }
      #expect(
        try NamedSignalTests.stages()
          == [
            "subscribe of ", "map of ", "Subject of ",
            "subscribe of mine", "map of mine", "Subject of ",
            "subscribe of ", "map of ", "Subject of ",
          ]
      )
      #expect(ActiveSignals.snapshot().signals.map(\.name) == ["Subject", "map", "mine"])
      subject.send(1)
      #expect(values.map(\.values) == [[2], [2], [2]])
    }
  }

  @Test func aNamedSignalIsReleasedTogetherWithItsOriginal() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      do { _ = Signal<Int, Never>.never().map { $0 }.named("mine") }
      #expect(NamedSignalTests.listed() == [])
      #expect(ActiveSignals.snapshot().released == 2)
    }
  }

  @Test func aNamedSignalBehavesLikeTheOneWithoutAName() {
    let named = Signal<Int, Never>.from([1, 2]).map { $0 * 2 }.named("mine")
    #expect(named.recorded().values == [2, 4])
    #expect(named.skip(1).recorded().values == [4])
    #expect("\(named.skip(1))" == "mine.skip(1)")
  }
}

extension TraceSnapshot {
  fileprivate func slot(_ id: TraceID) -> TraceSlot? { slots.first { $0.id == id } }
}
