import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Names of signals in traces that lack some signals, or contain what no recorder writes.
@Suite struct SignalNamesTests {
  private static func simulated(_ names: [String], _ traits: SiteTraits = []) -> (
    trace: TraceSimulator, sites: [UInt32]
  ) {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let sites = names.enumerated().map { index, name in
      trace.site(name, "Main.swift", UInt32(index + 1), traits)
    }
    return (trace, sites)
  }

  private static func names(_ snapshot: TraceSnapshot) -> [String?] {
    Inspection(snapshot: snapshot).signals.map(\.composedName)
  }

  @Test func anArgumentThatWasNotRecordedIsUnknown() {
    var (trace, sites) = Self.simulated(["Subject", "take"])
    _ = trace.signal(sites[1], on: trace.signal(sites[0]))
    var snapshot = trace.finish()
    // The simulated trace, like those of earlier versions, has no arguments.
    #expect(Self.names(snapshot) == ["Subject(?)", "Subject(?).take(?)"])
    snapshot.arguments = [.unknown, .none, .integer(3)]
    (snapshot.slots[0].argument, snapshot.slots[1].argument) = (1, 2)
    #expect(Self.names(snapshot) == ["Subject()", "Subject().take(3)"])
    snapshot.slots[1].argument = 99
    #expect(Self.names(snapshot) == ["Subject()", "Subject().take(?)"])
  }

  @Test func anInputThatTheTraceDoesNotHaveIsUnknown() throws {
    var (trace, sites) = Self.simulated(["Subject", "map", "zip"], .partners)
    let source = trace.signal(sites[0], argument: 1)
    let map = trace.signal(sites[1], on: source, argument: 2)
    let zip = trace.signal(sites[2], on: map, argument: 1)
    var whole = trace.finish()
    whole.arguments = [.unknown, .none, .closure]
    whole.slots[2].moreUpstreams = [source]
    #expect(Self.names(whole).last == "zip(Subject().map(…), Subject())")
    var lost = whole
    lost.slots.removeFirst()
    #expect(Self.names(lost) == ["?.map(…)", "zip(?.map(…), ?)"])
    // A released signal has no slot any more, and only the slot listed all upstreams but the first.
    trace.releaseSignal(zip)
    var gone = trace.finish()
    gone.arguments = whole.arguments
    var timeline = Timeline(gone)
    let made = try #require(gone.records.last { $0.kind == .signalCreated })
    let before = timeline.inspection(at: .event(made.number))
    #expect(before?.signals.last?.composedName == "zip(Subject().map(…), ?)")
  }

  @Test func aSignalHasTheNameThatItHadAtTheInstant() throws {
    var (trace, sites) = Self.simulated(["Subject", "take"])
    let take = trace.signal(sites[1], on: trace.signal(sites[0], argument: 1), argument: 2)
    trace.wait(.seconds(1))
    trace.write(.signalNamed, take, 7, thread: 1)
    trace.beginGeneration()
    trace.releaseSignal(take)
    var snapshot = trace.finish()
    snapshot.arguments = [.unknown, .none, .integer(3)]
    snapshot.strings[7] = "few"
    var timeline = Timeline(snapshot)
    let names = try [RecordKind.signalCreated, .signalNamed].map { kind in
      let record = try #require(snapshot.records.last { $0.kind == kind })
      return timeline.inspection(at: .event(record.number))?.signals.last?.composedName
    }
    #expect(names == ["Subject().take(3)", "few"])
    let store = EntityStore(snapshot)
    var recorded = RecordedNames(store, snapshot)
    #expect(store.all.map { recorded.name(of: $0) } == ["Subject()", "few"])
  }

  @Test func cyclicAndVeryLongChainsOfSignalsHaveNames() {
    var (trace, sites) = Self.simulated(["a", "b"])
    let first = trace.signal(sites[0])
    let second = trace.signal(sites[1], on: first)
    var long = second
    for _ in 0..<500 { long = trace.signal(sites[1], on: long) }
    var snapshot = trace.finish()
    snapshot.arguments = [.unknown, .none]
    for index in snapshot.slots.indices { snapshot.slots[index].argument = 1 }
    snapshot.slots[0].link = second
    let names = Self.names(snapshot)
    #expect(names[0] == "↗a.b().a()")
    #expect(names.allSatisfy { ($0?.count ?? 0) < 500 })
    #expect(names.last??.hasPrefix("….b()") == true, "\(names.last ?? "")")
  }

  @Test(arguments: ["", "(", "((((", ")", "a(", "a(:", "(a:)", "prepend", "zip", "if", "\u{1B}[2J"])
  func everyOperatorNameIsSpelledCorrectly(name: String) {
    var (trace, sites) = Self.simulated([name, name])
    let source = trace.signal(sites[0])
    _ = trace.signal(sites[1], on: source)
    var snapshot = trace.finish()
    snapshot.arguments = [.unknown, .none, .list, .part(""), .scheduler(77), .integer(.min)]
    for argument in 0...6 as ClosedRange<UInt32> {
      snapshot.slots[1].argument = argument
      snapshot.slots[1].moreUpstreams = argument % 2 == 0 ? [source, .none] : []
      #expect(Self.names(snapshot).allSatisfy { $0?.isEmpty == false })
    }
  }

  @Test func aSubscriptionHasTheNameOfItsSignalIfThatIsKnown() throws {
    var (trace, sites) = Self.simulated(["interval", "subscribe"], [.endless])
    let source = trace.signal(sites[0])
    let root = trace.site("subscribe", "Main.swift", 9, [.root])
    let subscription = trace.subscribe(root, to: source)
    let stage = trace.subscribe(sites[0], to: source, downstream: subscription)
    trace.next(stage)
    var snapshot = trace.finish()
    let unknown = Inspection(snapshot: snapshot)
    #expect(unknown.subscriptions.map(\.composedName) == ["interval(?)", "interval(?)"])
    let silent = try SilenceExplanation.of(2, in: snapshot)
    #expect(!silent.known.contains { $0.hasPrefix("the signal is") })
    snapshot.arguments = [.unknown, .duration(nanoseconds: 500_000_000)]
    snapshot.slots[0].argument = 1
    let known = Inspection(snapshot: snapshot)
    #expect(known.subscriptions.last?.composedName == "interval(.milliseconds(500), …)")
    let said = try SilenceExplanation.of(2, in: snapshot)
    #expect(said.known.contains("the signal is interval(.milliseconds(500), …)"))
  }

  @Test func aNameDoesNotChangeTheFingerprintOfAFinding() throws {
    func findings(_ argument: SignalArgument, named name: String?) -> [Finding] {
      var (trace, sites) = Self.simulated(["interval"], [.endless])
      let root = trace.site("subscribe", "Main.swift", 9, [.root])
      let source = trace.signal(sites[0])
      let earlier = trace.subscribe(root, to: source)
      trace.dropDisposable(earlier)
      trace.release(earlier)
      let subscription = trace.subscribe(root, to: source)
      let stage = trace.subscribe(sites[0], to: source, downstream: subscription)
      trace.dropDisposable(subscription)
      trace.wait(.seconds(20))
      trace.next(stage)
      var snapshot = trace.finish()
      snapshot.arguments = [.unknown, argument]
      snapshot.slots[0].argument = 1
      if let name {
        snapshot.strings[7] = name
        snapshot.slots[0].signal = 7
      }
      return Inspection(snapshot: snapshot).findings
    }
    let before = findings(.unknown, named: nil)
    let composed = findings(.integer(1), named: nil)
    let named = findings(.integer(1), named: "ticks")
    #expect(!before.isEmpty)
    #expect(before.map(\.fingerprint) == composed.map(\.fingerprint))
    #expect(before.map(\.looseFingerprint) == named.map(\.looseFingerprint))
    #expect(composed.contains { $0.sentence.hasSuffix(" The signal is interval(1).") })
    #expect(named.contains { $0.sentence.hasSuffix(" The signal is ticks.") })
    #expect(!before.contains { $0.sentence.contains("The signal is") })
  }
}
