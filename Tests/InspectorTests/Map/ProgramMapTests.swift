import Testing
import TraceModel
import TraceReading

/// Which lines of code are nodes, which are folded, and how they are connected.
@Suite struct ProgramMapTests {
  private static func names(_ map: ProgramMap, _ inspection: Inspection) -> [[String]] {
    map.nodes.map { node in node.sites.map { inspection.site($0)?.name ?? "?" } }
  }

  private static func chain() -> (MapFixture, [UInt32]) {
    var map = MapFixture()
    let lines = [
      map.line("interval", "Clock.swift", 1, traits: [.timer, .source]),
      map.line("map", "Clock.swift", 2), map.line("filter", "Clock.swift", 3),
      map.line("scan", "Clock.swift", 4), map.subscriber("Clock.swift", 5),
    ]
    map.chain(lines)
    return (map, lines)
  }

  @Test func operatorsBetweenTwoBranchesAreFoldedIntoOneNode() {
    let (fixture, _) = Self.chain()
    let map = ProgramMap(fixture.inspection)
    #expect(
      Self.names(map, fixture.inspection) == [
        ["interval"], ["map", "filter", "scan"], ["subscribe"],
      ]
    )
    #expect(map.edges.map { [$0.from, $0.to] } == [[0, 1], [1, 2]])
    #expect(map.lineCount == 5)
  }

  @Test func anUnfoldedChainHasANodeForEachLine() {
    let (fixture, lines) = Self.chain()
    var folding = MapFolding()
    folding.unfolded = [.chain(lines[1])]
    let map = ProgramMap(fixture.inspection, folding)
    #expect(map.nodes.map(\.sites) == lines.map { [$0] })
  }

  @Test func anAccusedLineIsNotFolded() {
    var (fixture, lines) = Self.chain()
    fixture.inspection.sites[Int(lines[2]) - 1].worst = .suspect
    let map = ProgramMap(fixture.inspection)
    #expect(map.nodes.map(\.sites) == lines.map { [$0] })
  }

  @Test func aChangeOfSchedulerIsNotHiddenInAChain() {
    var (fixture, lines) = Self.chain()
    for line in lines[2...] { fixture.inspection.sites[Int(line) - 1].scheduler = "worker" }
    let map = ProgramMap(fixture.inspection)
    #expect(
      Self.names(map, fixture.inspection) == [
        ["interval"], ["map"], ["filter", "scan"], ["subscribe"],
      ]
    )
    #expect(map.edges.map(\.isHop) == [false, true, false])
  }

  @Test func endedLinesAreNotInTheMapUnlessTheyAreAccused() {
    var fixture = MapFixture()
    let gone = fixture.line("map", "Old.swift", 3, live: 0)
    let accused = fixture.line("merge", "Old.swift", 4, live: 0, worst: .leak)
    let alone = fixture.line("never", "Old.swift", 5, live: 1)
    let map = ProgramMap(fixture.inspection)
    #expect(map.node(ofSite: gone) == nil)
    #expect(map.nodes.map(\.sites) == [[accused], [alone]])
  }

  @Test func connectionsOfEndedLinesAreDrawnOnRequestOrIfThereAreNoOthers() throws {
    var fixture = MapFixture()
    let source = fixture.line("Subject", "Old.swift", 3, live: 0)
    let gone = fixture.line("map", "Old.swift", 4, live: 0)
    var flow = FlowReport()
    flow.carried[Packing.pair(high: source, low: gone)] = 7
    let past = ProgramMap(fixture.inspection, flow: flow)
    #expect(past.isPast && past.edges.map(\.live) == [0] && past.edges.map(\.carried) == [7])

    fixture.chain([fixture.line("never", "A.swift", 1), fixture.subscriber("A.swift", 2)])
    let now = ProgramMap(fixture.inspection, flow: flow)
    #expect(!now.isPast && now.node(ofSite: gone) == nil)
    let both = ProgramMap(fixture.inspection, flow: flow, ended: .all)
    #expect(!both.isPast && both.node(ofSite: gone) != nil)
    #expect(both.edges.map(\.live).sorted() == [0, 1])
  }

  @Test func valuesSentByAHandlerAreAConnection() throws {
    let (inspection, flow) = MapFixture.cycle()
    let map = ProgramMap(inspection, flow: flow)
    let found = map.edges.first { $0.isSent }
    let sent = try #require(found)
    #expect(map.nodes[sent.from].sites == [4] && map.nodes[sent.to].sites == [1])
    #expect(sent.carried == 20)
    #expect(ProgramMap(inspection).edges.allSatisfy { !$0.isSent })
  }

  @Test func theMapAroundANodeContainsAllNodesUpstreamAndDownstreamOfIt() {
    var fixture = MapFixture()
    let source = fixture.line("Subject", "A.swift", 1, traits: .subject)
    let share = fixture.line("share", "A.swift", 2, traits: .shares)
    let near = fixture.subscriber("A.swift", 3)
    let far = fixture.subscriber("A.swift", 4)
    let other = fixture.subscriber("B.swift", 1)
    fixture.chain([source, share, near])
    fixture.feed(share, far)
    let map = ProgramMap(fixture.inspection)
    #expect(map.around(.line(near)).nodes.map(\.sites) == [[source], [share], [near]])
    #expect(map.around(.line(other)).nodes.map(\.sites) == [[other]])
    #expect(map.around(.line(99)) == map, "what is not there narrows nothing")
  }

  @Test func tooManyNodesAreFoldedByFileAndAFileCanBeUnfolded() {
    let inspection = MapFixture.large(lines: 3000)
    let whole = ProgramMap(inspection)
    #expect(whole.nodes.count <= ProgramMap.mostNodes)
    #expect(whole.lineCount == inspection.sites.count)
    #expect(whole.nodes.allSatisfy { if case .file = $0.id { true } else { false } })
    var folding = MapFolding()
    folding.unfolded = [.file("App/Part1.swift")]
    let opened = ProgramMap(inspection, folding)
    #expect(opened.nodes.contains { $0.id == .line(1) })
    #expect(opened.lineCount == whole.lineCount)
  }

  @Test func tooManyFilesAreFoldedByModuleAndUnfoldToFilesAndLines() {
    let inspection = MapFixture.large(lines: 10_000, isDivided: true)
    let whole = ProgramMap(inspection)
    #expect(whole.level == .modules)
    #expect(Set(whole.nodes.map(\.id)) == Set(MapFixture.areas.map { .module($0) }))
    var folding = MapFolding()
    folding.unfolded = [.module("Gateway")]
    let files = ProgramMap(inspection, folding)
    #expect(files.nodes.contains { $0.id == .file("Gateway/Part1.swift") })
    #expect(!files.nodes.contains { $0.id == .file("Mail/Part800.swift") })
    folding.unfolded.insert(.file("Gateway/Part1.swift"))
    let lines = ProgramMap(inspection, folding)
    #expect(lines.nodes.contains { $0.id == .line(1) })
    #expect(lines.lineCount == whole.lineCount)
  }

  @Test func filesAreNotFoldedByModuleIfThereIsOnlyOne() {
    let map = ProgramMap(MapFixture.large(lines: 10_000))
    #expect(map.level == .files)
    #expect(map.nodes.count == 1000)
  }

  private static func library() -> (MapFixture, [UInt32]) {
    var map = MapFixture()
    let lines = [
      map.line("Subject", "FeedKit/Socket.swift", 1, traits: [.hot, .subject]),
      map.line("map", "FeedKit/Socket.swift", 2),
      map.line("share", "FeedKit/Feed.swift", 3, traits: .shares),
      map.line("filter", "List.swift", 4), map.subscriber("List.swift", 5),
    ]
    map.chain(lines)
    return (map, lines)
  }

  @Test func theLinesOfALibraryAreOneNodeAndCanBeUnfolded() {
    let (fixture, lines) = Self.library()
    let map = ProgramMap(fixture.inspection)
    #expect(map.nodes.map(\.id) == [.module("FeedKit"), .line(lines[3]), .line(lines[4])])
    #expect(map.nodes[0].sites == Array(lines[..<3]))
    #expect(map.edges.map { [$0.from, $0.to] } == [[0, 1], [1, 2]])
    var folding = MapFolding()
    folding.unfolded = [.module("FeedKit")]
    #expect(ProgramMap(fixture.inspection, folding).nodes.map(\.sites) == lines.map { [$0] })
  }

  @Test func accusedLinesOfALibraryAndTheProgramsModuleAreNotFolded() {
    var (fixture, lines) = Self.library()
    fixture.inspection.sites[Int(lines[2]) - 1].worst = .leak
    let map = ProgramMap(fixture.inspection)
    #expect(map.nodes.map(\.id).contains(.line(lines[2])))
    #expect(map.nodes.map(\.id).contains(.module("FeedKit")))
    fixture.inspection.program.name = "FeedKit"
    let own = ProgramMap(fixture.inspection)
    #expect(own.nodes.map(\.sites) == lines.map { [$0] })
  }

  @Test func anOperatorComposedOfOthersOnItsLineIsOneNode() {
    var fixture = MapFixture()
    let lines = [
      fixture.line("interval", "A.swift", 1, traits: [.timer, .source]),
      fixture.line("retry", "A.swift", 2), fixture.line("map", "A.swift", 3),
      fixture.subscriber("A.swift", 4),
    ]
    fixture.chain(lines)
    fixture.feed(lines[1], lines[1])
    let map = ProgramMap(fixture.inspection)
    #expect(map.nodes.map(\.sites) == [[lines[0]], [lines[1], lines[2]], [lines[3]]])
  }

  /// Each line is in exactly one node, whichever nodes are folded.
  @Test(arguments: 0..<40) func everyLineIsInOneNode(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let inspection = RandomMap.inspection(&random)
    var folding = MapFolding()
    for node in ProgramMap(inspection).nodes where Bool.random(using: &random) {
      folding.unfolded.insert(node.id)
    }
    let map = ProgramMap(inspection, folding)
    let sites = map.nodes.flatMap(\.sites)
    #expect(Set(sites).count == sites.count)
    #expect(Set(sites) == Set(inspection.sites.filter { ($0.live ?? 0) > 0 }.map(\.id)))
    for edge in map.edges {
      #expect(map.nodes.indices.contains(edge.from) && map.nodes.indices.contains(edge.to))
    }
    // Connections within a node are not drawn; the others represent as many subscriptions as they
    // would without folding.
    var unfolded = MapFolding()
    unfolded.unfolded = Set(ProgramMap(inspection).nodes.map(\.id))
    let all = ProgramMap(inspection, unfolded)
    #expect(all.nodes.allSatisfy { !$0.isFolded })
    func node(_ place: Int) -> Int? {
      map.nodes.firstIndex { $0.sites.contains(all.nodes[place].sites[0]) }
    }
    let between = all.edges.filter { $0.from == $0.to || node($0.from) != node($0.to) }
    #expect(map.edges.reduce(0) { $0 + $1.live } == between.reduce(0) { $0 + $1.live })
  }
}

/// Programs of random shape.
enum RandomMap {
  static func inspection(_ random: inout SeededGenerator) -> Inspection {
    var fixture = MapFixture()
    let count = Int.random(in: 1...40, using: &random)
    let queues = ["main", "worker", nil]
    let lines = (0..<count).map { place in
      fixture.line(
        ["map", "filter", "merge", "share"].randomElement(using: &random) ?? "map",
        "File\(Int.random(in: 0..<5, using: &random)).swift",
        UInt32(place + 1),
        live: UInt64.random(in: 1...3, using: &random),
        on: queues.randomElement(using: &random) ?? nil,
        traits: Int.random(in: 0..<6, using: &random) == 0 ? .shares : []
      )
    }
    for _ in 0..<Int.random(in: 0...(count * 2), using: &random) {
      guard let from = lines.randomElement(using: &random),
        let to = lines.randomElement(using: &random)
      else { continue }
      fixture.feed(from, to, Int.random(in: 1...2, using: &random))
    }
    return fixture.inspection
  }
}
