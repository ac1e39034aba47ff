import TraceReading

/// How events flow through a whole program, by lines of code, at one instant.
///
/// A line is part of the map if something made there is live, or if a finding accuses it; two lines
/// are connected if a live subscription of one sends events to a subscription of the other. Lines
/// of a chain without branches may be folded into one node (``MapFolding``).
package struct ProgramMap: Sendable, Equatable {
  /// A line of code, or several that are drawn as one.
  package struct Node: Sendable, Equatable {
    /// The identity, which is the same at every instant of one trace, provided the same lines are
    /// folded.
    package var id: ID
    /// Rows in the table of sites, in the order of the flow; a single one unless the node is
    /// folded.
    package var sites: [UInt32]

    /// Whether it represents more than one line.
    package var isFolded: Bool { if case .line = id { false } else { true } }
  }

  /// The identity of a node, which also says what the node represents.
  package enum ID: Hashable, Sendable {
    /// A line of code, by its row in the table of sites.
    case line(UInt32)
    /// Operators between two branches, by the row of the first.
    case chain(UInt32)
    /// Everything in a file, by the name that traces give it.
    case file(String)
    /// Everything in a module.
    case module(String)

    /// A number for the layout, which does not use names.
    package var number: UInt64 {
      switch self {
      case .line(let site): UInt64(site)
      case .chain(let site): UInt64(site) | 1 << 32
      case .file(let name): Self.hash(name) | 1 << 63
      case .module(let name): Self.hash("module " + name) | 1 << 63
      }
    }

    /// A node that can contain another has the greater rank.
    package var rank: Int {
      switch self {
      case .line: 0
      case .chain: 1
      case .file: 2
      case .module: 3
      }
    }

    /// The FNV-1a hash of a text, which is the same in every process.
    private static func hash(_ text: String) -> UInt64 {
      text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
  }

  /// A connection of two nodes.
  package struct Edge: Sendable, Equatable {
    /// Indices of the nodes.
    package var from: Int
    package var to: Int
    /// The number of live subscriptions along this connection.
    package var live: Int
    /// Whether events change their scheduler on this connection.
    package var isHop: Bool
    /// Whether a handler of the program sends along this connection, as opposed to one subscription
    /// sending events to another.
    package var isSent = false
    /// Events along this connection in the stretch of time that was examined.
    package var carried: UInt64 = 0
    /// Whether `carried` is known.
    package var isCounted = false
  }

  /// The choice of ended connections to draw.
  package enum EndedConnections: Sendable {
    /// All of them, so that a line whose subscriptions constantly begin and end keeps its place.
    case all
    /// The connections that lead from or to an accused line, as far as the nearest line that is
    /// still live.
    case accused
  }

  package private(set) var nodes: [Node] = []
  package private(set) var edges: [Edge] = []
  /// The number of lines of code in the map, whether they have a node of their own or not.
  package private(set) var lineCount = 0
  /// Whether all of its connections have ended, so that the map shows how the program was connected
  /// before.
  package private(set) var isPast = false
  /// The number of lines of code that carried events, have nothing live any more, and are left out.
  package private(set) var endedCount = 0
  /// What its nodes represent, apart from those that are unfolded.
  package private(set) var level = MapFolding.Level.lines

  /// The largest number of nodes: if there are more, all nodes of a file are folded into one, and
  /// if there are still more, all nodes of a module.
  package static let mostNodes = 400

  /// Creates the map of an instant.
  ///
  /// - Parameters:
  ///   - inspection: The instant.
  ///   - folding: What is folded into one node.
  ///   - report: The events between lines of code in the last seconds; nil if these are not known.
  ///   - ended: Which ended connections that carried events in the last seconds are drawn; all of
  ///     them if no connection is live any more.
  ///   - isWanted: Whether a line of code is included.
  /// - Complexity: O(live subscriptions + lines).
  package init(
    _ inspection: Inspection,
    _ folding: MapFolding = MapFolding(),
    flow report: FlowReport? = nil,
    ended: EndedConnections = .accused,
    where isWanted: (SiteRow) -> Bool = { _ in true }
  ) {
    var flow = SiteFlow(inspection, report, ended)
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

  /// The node that contains a line of code; nil if none does.
  package func node(ofSite site: UInt32) -> Node? { nodes.first { $0.sites.contains(site) } }

  /// The part of the map that leads to a node or is reached from it; the whole map if the map does
  /// not contain the node.
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

/// Lines of code and the flow between them, before anything is folded.
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
  /// The connections between subscriptions, in the order of the rows of their lines, followed by
  /// those along which only handlers send.
  private(set) var edges: [Edge]
  private var touched: Set<UInt32>

  let isPast: Bool
  /// The number of lines whose connections have all ended and which are left out.
  let endedCount: Int

  init(_ inspection: Inspection, _ report: FlowReport?, _ shown: ProgramMap.EndedConnections) {
    var counts = Self.counts(inspection)
    let past = (report?.carried ?? [:]).keys.filter { counts[$0] == nil }
    isPast = counts.isEmpty && !past.isEmpty
    let kept =
      shown == .all || isPast
      ? past : Self.accusedConnections(of: inspection, past, living: counts.keys)
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
    // Only lines at the ends of these connections count as connected. The connections added below
    // do not count, because a handler may have sent to a line that has nothing live any more.
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

  /// Ended connections that lead from or to an accused line, as far as the nearest line that still
  /// has a live one.
  private static func accusedConnections(
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

  /// The number of live subscriptions of one line that send events to another line, by the pair of
  /// their rows.
  private static func counts(_ inspection: Inspection) -> [UInt64: Int] {
    var counts: [UInt64: Int] = [:]
    // Rows begin at 1, and rows of which nothing is known may be left out, so the last row
    // determines the size of the table.
    let sites = Int(inspection.sites.last?.id ?? 0) + 1
    // There may be a hundred thousand subscriptions on a few lines: a table takes a tenth of the
    // time of a dictionary.
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

  /// Removes the lines for which the closure returns false.
  ///
  /// The closure receives the row of a line, and whether the line is connected with another one.
  mutating func keep(_ isKept: (_ site: UInt32, _ isConnected: Bool) -> Bool) {
    sites = sites.filter { isKept($0, touched.contains($0)) }
    let kept = Set(sites)
    edges = edges.filter { kept.contains($0.from) && kept.contains($0.to) }
  }
}
