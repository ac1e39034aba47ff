import ReactiveTrace
import Testing
import TraceFindings
import TraceModel

@Suite struct NeighbourhoodTests {
  @Test func upstreamIsAboveAndDownstreamBelow() throws {
    var inspection = Inspection()
    inspection.add(1, feeding: 2, "interval")
    inspection.add(2, feeding: 3, "map")
    inspection.add(3, feeding: nil, "subscribe")
    #expect(
      inspection.drawing(of: 2) == """
        interval #1
        > map #2
        └subscribe #3
        """
    )
  }

  @Test func otherInputsOfAStepAreListedBesideTheBusiest() {
    var inspection = Inspection()
    inspection.add(1, feeding: 4, "quiet", events: 1)
    inspection.add(2, feeding: 4, "busy", events: 9)
    inspection.add(3, feeding: 4, "middling", events: 5)
    inspection.add(4, feeding: nil, "merge")
    #expect(
      inspection.drawing(of: 4) == """
        busy #2
        ├middling #3
        ├quiet #1
        > merge #4
        """
    )
  }

  @Test func aNodeThatOccursAgainIsAReference() {
    var inspection = Inspection()
    // The subject reaches `zip` on two paths, and `zip` is drawn on only one of them.
    inspection.addSignal(1, from: [], "subject")
    inspection.addSignal(2, from: [1], "map")
    inspection.addSignal(3, from: [1], "filter")
    inspection.addSignal(4, from: [2, 3], "zip")
    inspection.connectSignals()
    #expect(
      inspection.drawing(of: 1, isSignal: true) == """
        > subject #1
        ├map #2
        │└zip #4
        └filter #3
         └see zip #4
        """
    )
  }

  @Test func cyclesAreCut() {
    var inspection = Inspection()
    inspection.addSignal(1, from: [3], "a")
    inspection.addSignal(2, from: [1], "b")
    inspection.addSignal(3, from: [2], "c")
    inspection.connectSignals()
    #expect(
      inspection.drawing(of: 1, isSignal: true) == """
        back to a #1
        b #2
        c #3
        > a #1
        └see b #2
        """
    )
  }

  @Test func aWideFanOutIsFolded() {
    var inspection = Inspection()
    inspection.addSignal(1, from: [], "subject")
    for serial in 2..<30 { inspection.addSignal(UInt64(serial), from: [1], "map") }
    inspection.connectSignals()
    let lines = Neighbourhood.lines(of: .signal(.init(1)), in: inspection)
    #expect(lines.count == 1 + Neighbourhood.fanOutLimit + 1)
    #expect(lines.last?.content == .folded(count: 28 - Neighbourhood.fanOutLimit, sites: 1))
    #expect(lines.last?.rails == [.last])
  }

  @Test func levelsTooDeepForTheScreenAreCounted() {
    var inspection = Inspection()
    for serial in 1...30 {
      inspection.addSignal(UInt64(serial), from: serial == 1 ? [] : [UInt64(serial - 1)], "map")
    }
    inspection.connectSignals()
    let below = Neighbourhood.lines(of: .signal(.init(1)), in: inspection, columns: 60)
    #expect(below.last?.content == .levels(19))
    #expect(below.allSatisfy { $0.rails.count <= 11 })
    let above = Neighbourhood.lines(of: .signal(.init(30)), in: inspection, columns: 60)
    #expect(above.first?.content == .levels(19))
  }

  @Test func hopsAreShownWhereTheSchedulerChanges() {
    var inspection = Inspection()
    inspection.add(1, feeding: 2, "interval", on: "work")
    inspection.add(2, feeding: 3, "map", on: "work")
    inspection.add(3, feeding: nil, "subscribe", on: "main")
    let lines = Neighbourhood.lines(of: .subscription(.init(1)), in: inspection)
    #expect(lines.map(\.hop) == [nil, nil, "main"])
  }

  @Test func sitesAreConnectedThroughTheirLiveSubscriptions() {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let source = trace.site("interval", "Feed.swift", 1, [.endless])
    let root = trace.site("subscribe", "Feed.swift", 2, [.root])
    for _ in 0..<5 {
      let outer = trace.subscribe(root)
      _ = trace.subscribe(source, downstream: outer)
    }
    let lines = Neighbourhood.lines(of: .site(root), in: Inspection(snapshot: trace.finish()))
    #expect(lines.map(\.content) == [.node(.site(source)), .node(.site(root))])
    #expect(lines.map(\.side) == [.upstream, .chosen])
  }

  @Test func aMissingNodeHasNoLines() {
    let inspection = Inspection()
    #expect(Neighbourhood.lines(of: .site(7), in: inspection).isEmpty)
    #expect(Neighbourhood.lines(of: .signal(.init(7)), in: inspection).isEmpty)
    #expect(Neighbourhood.lines(of: .subscription(.init(7)), in: inspection).isEmpty)
  }
}

extension EntityKey {
  init(_ serial: UInt64) { self.init(id: TraceID(rawValue: UInt32(serial)), serial: serial) }
}

extension Inspection {
  fileprivate mutating func add(
    _ serial: UInt64,
    feeding downstream: UInt64?,
    _ name: String,
    events: UInt64 = 0,
    on scheduler: String? = nil
  ) {
    var row = SubscriptionRow(key: EntityKey(serial))
    row.name = name
    row.events = events
    row.scheduler = scheduler
    row.downstream = downstream.map(EntityKey.init)
    row.upstreams = subscriptions.filter { $0.downstream == row.key }.map(\.key)
    subscriptions.append(row)
  }

  fileprivate mutating func addSignal(_ serial: UInt64, from upstreams: [UInt64], _ name: String) {
    var row = SignalRow(key: EntityKey(serial))
    row.name = name
    row.upstreams = upstreams.map(EntityKey.init)
    signals.append(row)
  }

  fileprivate mutating func connectSignals() {
    for index in signals.indices {
      let key = signals[index].key
      signals[index].downstreams = signals.filter { $0.upstreams.contains(key) }.map(\.key)
    }
  }

  /// The tree as text, as a view would draw it, with one column for each level.
  fileprivate func drawing(of serial: UInt64, isSignal: Bool = false) -> String {
    let node: TreeNode = isSignal ? .signal(.init(serial)) : .subscription(.init(serial))
    return Neighbourhood.lines(of: node, in: self).map { line in
      let rails = line.rails.map { rail in
        switch rail {
        case .blank: " "
        case .through: "│"
        case .branch: "├"
        case .last: "└"
        }
      }.joined()
      let text =
        switch line.content {
        case .node(let node): name(node)
        case .reference(let node): "see \(name(node))"
        case .cycle(let node): "back to \(name(node))"
        case .folded(let count, let sites): "\(count) more of \(sites)"
        case .levels(let count): "\(count) levels"
        }
      return rails + (line.side == .chosen ? "> " : "") + text
    }.joined(separator: "\n")
  }

  private func name(_ node: TreeNode) -> String {
    switch node {
    case .site(let site): "site \(site)"
    case .signal(let key): "\(signal(key)?.name ?? "?") \(key.label)"
    case .subscription(let key): "\(subscription(key)?.name ?? "?") \(key.label)"
    }
  }
}
