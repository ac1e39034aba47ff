import TraceReading

/// The rules by which a map draws several lines of code as one node.
///
/// A chain of operators without a branch is one node; where the scheduler changes, the chain is
/// divided. A line keeps a node of its own if a finding accuses it, or if it is a root subscription
/// (made by the program's own call of `subscribe`), a source, a subject, a timer or a shared
/// signal. The lines of a library are one node, except for those that are accused. If too many
/// nodes remain, the nodes of each file become one, and if there are still too many, those of each
/// module.
package struct MapFolding: Sendable, Hashable {
  /// What each node of a map represents.
  package enum Level: Int, Sendable, Hashable {
    /// A line of code, or several of a chain.
    case lines
    case files, modules
  }

  /// Nodes that are drawn line by line although these rules would fold them.
  package var unfolded: Set<ProgramMap.ID> = []
  /// The module whose lines are drawn, while every other module is one node; nil for all modules.
  package var module: String?
  /// What each node represents; nil to choose lines, or, if there are too many of them, files or
  /// modules.
  package var level: Level?

  package init() {}

  /// The nodes of a map, in the order of the rows of their first lines, and what they represent.
  func nodes(of flow: SiteFlow, _ inspection: Inspection) -> (nodes: [ProgramMap.Node], Level) {
    let folded = foldedModules(of: flow, inspection)
    func module(of node: ProgramMap.Node) -> String { inspection.module(of: node) }
    let lines = grouped(chains(flow, folded, inspection)) { node in
      let rows = node.sites.compactMap(inspection.site)
      guard folded.contains(module(of: node)), rows.allSatisfy({ !Self.isAccused($0) }) else {
        return nil
      }
      return .module(module(of: node))
    }
    if level ?? (lines.count > ProgramMap.mostNodes ? .files : .lines) == .lines {
      return (lines, .lines)
    }
    let files = byFile(lines, inspection)
    let modules = Set(files.map(module(of:)))
    let exceedsLimit = files.count > ProgramMap.mostNodes && modules.count > 1
    guard level ?? (exceedsLimit ? .modules : .files) == .modules else { return (files, .files) }
    return (grouped(files) { .module(module(of: $0)) }, .modules)
  }

  // MARK: Libraries

  /// The modules whose lines are folded into one node for each module, however few lines there are.
  ///
  /// A library is a module that makes no root subscription of its own, in a program where other
  /// modules do.
  private func foldedModules(of flow: SiteFlow, _ inspection: Inspection) -> Set<String> {
    var all: Set<String> = []
    var own: Set<String> = [inspection.program.name]
    for row in flow.sites.compactMap(inspection.site) where !row.module.isEmpty {
      all.insert(row.module)
      if row.traits.contains(.root) { own.insert(row.module) }
    }
    if let module { return all.filter { $0 != module && !unfolded.contains(.module($0)) } }
    guard !all.isDisjoint(with: own) else { return [] }
    return all.filter { !own.contains($0) && !unfolded.contains(.module($0)) }
  }

  // MARK: Chains

  private func chains(
    _ flow: SiteFlow,
    _ folded: Set<String>,
    _ inspection: Inspection
  ) -> [ProgramMap.Node] {
    var degrees: [UInt32: (arriving: Int, leaving: Int)] = [:]
    // An operator composed of other operators is connected with itself; that connection is
    // internal.
    for edge in flow.edges where edge.from != edge.to {
      degrees[edge.to, default: (0, 0)].arriving += 1
      degrees[edge.from, default: (0, 0)].leaving += 1
    }
    var next: [UInt32: UInt32] = [:]
    var isFollowing: Set<UInt32> = []
    let inner = Set(
      flow.sites.filter { site in
        degrees[site].map { $0 == (1, 1) } ?? false
          && inspection.site(site).map { Self.isPlain($0) && !folded.contains($0.module) } ?? false
      }
    )
    for edge in flow.edges where inner.contains(edge.from) && inner.contains(edge.to) && !edge.isHop
    {
      guard edge.from != edge.to else { continue }
      next[edge.from] = edge.to
      isFollowing.insert(edge.to)
    }
    var isTaken: Set<UInt32> = []
    var nodes: [ProgramMap.Node] = []
    for site in flow.sites where next[site] != nil && !isFollowing.contains(site) {
      var sites = [site]
      while let following = next[sites[sites.count - 1]] { sites.append(following) }
      let id = ProgramMap.ID.chain(site)
      guard !unfolded.contains(id) else { continue }
      isTaken.formUnion(sites)
      nodes.append(ProgramMap.Node(id: id, sites: sites))
    }
    nodes += flow.sites.filter { !isTaken.contains($0) }
      .map { ProgramMap.Node(id: .line($0), sites: [$0]) }
    return nodes.sorted { $0.sites[0] < $1.sites[0] }
  }

  /// Whether a line has no property that gives it a node of its own.
  private static func isPlain(_ row: SiteRow) -> Bool {
    !isAccused(row) && row.traits.isDisjoint(with: [.root, .shares, .subject, .source, .timer])
  }

  private static func isAccused(_ row: SiteRow) -> Bool { (row.worst ?? .info) >= .suspect }

  // MARK: Files and modules

  private func byFile(_ nodes: [ProgramMap.Node], _ inspection: Inspection) -> [ProgramMap.Node] {
    grouped(nodes) { node in
      if case .module = node.id { return nil }
      return .file(inspection.site(node.sites[0])?.file ?? "")
    }
  }

  /// Merges the nodes of each group into one, unless the group is unfolded.
  ///
  /// Nodes without a group stay as they are.
  private func grouped(
    _ nodes: [ProgramMap.Node],
    by group: (ProgramMap.Node) -> ProgramMap.ID?
  ) -> [ProgramMap.Node] {
    var places: [ProgramMap.ID: Int] = [:]
    var grouped: [ProgramMap.Node] = []
    for node in nodes {
      guard let id = group(node), !unfolded.contains(id) else {
        grouped.append(node)
        continue
      }
      if let place = places[id] {
        grouped[place].sites += node.sites
      } else {
        places[id] = grouped.count
        grouped.append(ProgramMap.Node(id: id, sites: node.sites))
      }
    }
    return grouped
  }
}

extension Inspection {
  /// The module of the first line of a node.
  fileprivate func module(of node: ProgramMap.Node) -> String {
    site(node.sites[0])?.module ?? ""
  }
}
