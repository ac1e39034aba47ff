import TraceReading

/// What feeds what in a whole program, by lines of code, at one instant.
///
/// A line is in it where something of it lives, or where a finding accuses it; two lines are connected where a live subscription of one
/// feeds one of the other. Lines of a chain without branches may stand for one node (``MapFolding``).
package struct ProgramMap: Sendable, Equatable {
  /// A line of code, or several that are drawn as one.
  package struct Node: Sendable, Equatable {
    /// The same at every instant of one trace, as long as the same lines are folded.
    package var id: ID
    /// Rows in the table of sites, in the order of the flow; one, unless it is folded.
    package var sites: [UInt32]

    /// Whether it stands for more than one line.
    package var isFolded: Bool { if case .line = id { false } else { true } }
  }

  /// What names a node, and what it stands for.
  package enum ID: Hashable, Sendable {
    /// The row of a line.
    case line(UInt32)
    /// Operators between two branches, by the row of the first.
    case chain(UInt32)
    /// All that stands in a file, by the name that traces give it.
    case file(String)
    /// All that stands in a module.
    case module(String)

    /// A number for the layout, which knows no names.
    package var number: UInt64 {
      switch self {
      case .line(let site): UInt64(site)
      case .chain(let site): UInt64(site) | 1 << 32
      case .file(let name): Self.hash(name) | 1 << 63
      case .module(let name): Self.hash("module " + name) | 1 << 63
      }
    }

    /// What it may be inside of has a greater one.
    package var rank: Int {
      switch self {
      case .line: 0
      case .chain: 1
      case .file: 2
      case .module: 3
      }
    }

    /// FNV-1a, the same in every process.
    private static func hash(_ text: String) -> UInt64 {
      text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
  }

  /// A connection of two nodes.
  package struct Edge: Sendable, Equatable {
    /// Places among the nodes.
    package var from: Int
    package var to: Int
    /// Live subscriptions that go this way.
    package var live: Int
    /// Whether what comes here has changed the scheduler.
    package var isHop: Bool
    /// Whether a handler of the program sends this way, rather than one subscription feeding another.
    package var isSent = false
    /// Events that went this way in the stretch that was looked at.
    package var carried: UInt64 = 0
    /// Whether it is known how many that were.
    package var isCounted = false
  }

  /// Connections that are gone.
  package enum Past: Sendable {
    /// All of them: so that what begins and ends all the time stays where it is.
    case all
    /// Those by which what a finding accuses was connected, up to what still lives.
    case accused
  }

  package private(set) var nodes: [Node] = []
  package private(set) var edges: [Edge] = []
  /// Lines of code that are in it, whether they have a node of their own or not.
  package private(set) var lineCount = 0
  /// Whether nothing of it is connected any more, so that it is drawn as it was.
  package private(set) var isPast = false
  /// Lines of code over which something went and of which nothing lives, and which are left out.
  package private(set) var endedCount = 0
  /// What its nodes stand for, but for those that are unfolded.
  package private(set) var level = MapFolding.Level.lines

  /// Nodes above which those of a file are drawn as one, and files above which those of a module are.
  package static let mostNodes = 400

  /// The map of an instant.
  ///
  /// - Parameters:
  ///   - inspection: The instant.
  ///   - folding: What is drawn as one node.
  ///   - report: What went from line to line lately; nil where that is not known.
  ///   - past: Which connections over which something went lately are drawn though they are gone. Where nothing is connected any more, all.
  ///   - isWanted: Whether a line of code is to be in it.
  /// - Complexity: O(live subscriptions + lines).
  package init(
    _ inspection: Inspection,
    _ folding: MapFolding = MapFolding(),
    flow report: FlowReport? = nil,
    past: Past = .accused,
    where isWanted: (SiteRow) -> Bool = { _ in true }
  ) {
    var flow = SiteFlow(inspection, report, past)
    isPast = flow.isPast
    endedCount = flow.endedCount
    flow.keep { site, isConnected in
      guard let row = inspection.site(site) else { return false }
      let isAlive = (row.liveOfKind ?? 0) > 0 && row.kind != .owners
      return (isConnected || isAlive || row.worst != nil) && isWanted(row)
    }
    lineCount = flow.sites.count
    (nodes, level) = folding.nodes(of: flow, inspection)
    var places: [UInt32: Int] = [:]
    for (place, node) in nodes.enumerated() { for site in node.sites { places[site] = place } }
    func isCounted(_ site: UInt32) -> Bool {
      report != nil && inspection.level(ofSite: site) >= .events
    }
    var found: [Int: Int] = [:]
    for edge in flow.edges {
      guard let from = places[edge.from], let to = places[edge.to],
        from != to || edge.from == edge.to
      else { continue }
      let key = from * nodes.count + to
      if let place = found[key] {
        edges[place].live += edge.live
        edges[place].isHop = edges[place].isHop || edge.isHop
        edges[place].isSent = edges[place].isSent && edge.isSent
        edges[place].carried += edge.carried
        edges[place].isCounted =
          edges[place].isCounted && isCounted(edge.from) && isCounted(edge.to)
      } else {
        found[key] = edges.count
        edges.append(
          Edge(
            from: from,
            to: to,
            live: edge.live,
            isHop: edge.isHop,
            isSent: edge.isSent,
            carried: edge.carried,
            isCounted: isCounted(edge.from) && isCounted(edge.to)
          )
        )
      }
    }
  }

  /// The node in which a line of code is; nil where it is in none.
  package func node(ofSite site: UInt32) -> Node? { nodes.first { $0.sites.contains(site) } }

  /// The same without the nodes that neither lead to one nor are reached from it; the whole where there is no such node.
  package func around(_ id: ID) -> ProgramMap {
    guard let center = nodes.firstIndex(where: { $0.id == id }) else { return self }
    var isKept = [Bool](repeating: false, count: nodes.count)
    for isForward in [true, false] {
      var next = [[Int]](repeating: [], count: nodes.count)
      for edge in edges {
        next[isForward ? edge.from : edge.to].append(isForward ? edge.to : edge.from)
      }
      var seen = [Bool](repeating: false, count: nodes.count)
      var waiting = [center]
      while let here = waiting.popLast() {
        guard !seen[here] else { continue }
        seen[here] = true
        isKept[here] = true
        waiting += next[here]
      }
    }
    return keeping(isKept)
  }

  private func keeping(_ isKept: [Bool]) -> ProgramMap {
    var map = self
    var places = [Int](repeating: -1, count: nodes.count)
    map.nodes = []
    for (place, node) in nodes.enumerated() where isKept[place] {
      places[place] = map.nodes.count
      map.nodes.append(node)
    }
    map.edges = edges.compactMap { edge in
      guard isKept[edge.from], isKept[edge.to] else { return nil }
      var edge = edge
      (edge.from, edge.to) = (places[edge.from], places[edge.to])
      return edge
    }
    map.lineCount = map.nodes.reduce(0) { $0 + $1.sites.count }
    return map
  }
}

/// Lines of code and what flows between them, before anything is folded.
struct SiteFlow {
  struct Edge {
    var from: UInt32
    var to: UInt32
    var live: Int
    var isHop: Bool
    var isSent = false
    var carried: UInt64 = 0
  }

  private(set) var sites: [UInt32]
  /// In the order of the rows.
  private(set) var edges: [Edge]
  private var touched: Set<UInt32>

  let isPast: Bool
  /// Lines of connections that are gone and left out, but for those that are in it otherwise.
  let endedCount: Int

  init(_ inspection: Inspection, _ report: FlowReport?, _ shown: ProgramMap.Past) {
    var counts = Self.counts(inspection)
    let past = (report?.carried ?? [:]).keys.filter { counts[$0] == nil }
    isPast = counts.isEmpty && !past.isEmpty
    let kept = shown == .all || isPast ? past : Self.ways(of: inspection, past, living: counts.keys)
    for key in kept { counts[key] = 0 }
    let ends = { (keys: [UInt64]) in Set(keys.flatMap { [Packing.high($0), Packing.low($0)] }) }
    endedCount = ends(past).subtracting(ends(Array(counts.keys))).count {
      inspection.site($0)?.liveOfKind == 0
    }
    sites = inspection.sites.map(\.id)
    edges = counts.sorted { $0.key < $1.key }.map { key, live in
      let (from, to) = (Packing.high(key), Packing.low(key))
      let schedulers = (inspection.site(from)?.scheduler, inspection.site(to)?.scheduler)
      return Edge(
        from: from,
        to: to,
        live: live,
        isHop: schedulers.1 != nil && schedulers.0 != schedulers.1,
        carried: report?.carried[key] ?? 0
      )
    }
    // A handler that has sent to what is not there any more connects nothing.
    touched = Set(edges.flatMap { [$0.from, $0.to] })
    for (key, count) in (report?.sent ?? [:]).sorted(by: { $0.key < $1.key })
    where counts[key] == nil {
      edges.append(
        Edge(
          from: Packing.high(key),
          to: Packing.low(key),
          live: 0,
          isHop: false,
          isSent: true,
          carried: count
        )
      )
    }
  }

  /// Connections that are gone and lead from what is accused, or to it, as far as to a line that still has one.
  private static func ways(
    of inspection: Inspection,
    _ past: [UInt64],
    living: some Sequence<UInt64>
  ) -> [UInt64] {
    guard !past.isEmpty else { return [] }
    let connected = Set(living.flatMap { [Packing.high($0), Packing.low($0)] })
    var kept: Set<UInt64> = []
    for isForward in [true, false] {
      let next = Dictionary(grouping: past) { isForward ? Packing.high($0) : Packing.low($0) }
      var waiting = inspection.sites.filter { ($0.worst ?? .info) >= .suspect }.map(\.id)
      var seen: Set<UInt32> = []
      while let here = waiting.popLast() {
        guard !connected.contains(here), seen.insert(here).inserted else { continue }
        for key in next[here] ?? [] {
          kept.insert(key)
          waiting.append(isForward ? Packing.low(key) : Packing.high(key))
        }
      }
    }
    return Array(kept)
  }

  /// How many live subscriptions of one line feed another, by the pair of both.
  private static func counts(_ inspection: Inspection) -> [UInt64: Int] {
    var counts: [UInt64: Int] = [:]
    // Rows begin at 1, and some that nothing is known of may be left out.
    let sites = Int(inspection.sites.last?.id ?? 0) + 1
    // There may be a hundred thousand subscriptions of a few lines: a table takes a tenth of the time.
    guard sites <= 512 else {
      inspection.forEachFeeding { from, to in
        counts[Packing.pair(high: from, low: to), default: 0] += 1
      }
      return counts
    }
    var table = [Int](repeating: 0, count: sites * sites)
    inspection.forEachFeeding { from, to in
      guard from < sites, to < sites else { return }
      table[Int(from) * sites + Int(to)] += 1
    }
    for (place, count) in table.enumerated() where count > 0 {
      let (from, to) = place.quotientAndRemainder(dividingBy: sites)
      counts[Packing.pair(high: UInt32(from), low: UInt32(to))] = count
    }
    return counts
  }

  /// Leaves out lines; it is told of each whether it feeds another or is fed by one.
  mutating func keep(_ isKept: (_ site: UInt32, _ isConnected: Bool) -> Bool) {
    sites = sites.filter { isKept($0, touched.contains($0)) }
    let kept = Set(sites)
    edges = edges.filter { kept.contains($0.from) && kept.contains($0.to) }
  }
}
