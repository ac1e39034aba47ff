import TraceReading

/// Which lines of code a map draws as one node.
///
/// Operators between two branches are one. A line that a finding accuses, one that shares, one that the program sends into and one where the scheduler changes keep nodes of their own. Where too many
/// are left, those of a file are one.
package struct MapFolding: Sendable, Hashable {
  /// What is drawn line by line, though it would be folded.
  package var unfolded: Set<ProgramMap.ID> = []
  /// The module of which lines are drawn, where those of each other are one node; nil for all.
  package var module: String?

  package init() {}

  /// The nodes of a map, in the order of the rows of their first lines.
  func nodes(of flow: SiteFlow, _ inspection: Inspection) -> [ProgramMap.Node] {
    var chained = chains(flow, inspection)
    if module != nil {
      chained = grouped(chained) { node in
        module(of: node.sites[0], inspection).map(ProgramMap.ID.module)
      }
    }
    return chained.count > ProgramMap.mostNodes ? byFile(chained, inspection) : chained
  }

  // MARK: Chains

  private func chains(_ flow: SiteFlow, _ inspection: Inspection) -> [ProgramMap.Node] {
    var degrees: [UInt32: (arriving: Int, leaving: Int)] = [:]
    for edge in flow.edges {
      degrees[edge.to, default: (0, 0)].arriving += 1
      degrees[edge.from, default: (0, 0)].leaving += 1
    }
    var next: [UInt32: UInt32] = [:]
    var isFollowing: Set<UInt32> = []
    let inner = Set(
      flow.sites.filter { site in
        degrees[site].map { $0 == (1, 1) } ?? false && module(of: site, inspection) == nil
          && inspection.site(site).map(Self.isPlain) ?? false
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

  /// Whether nothing about a line makes it worth a node of its own.
  private static func isPlain(_ row: SiteRow) -> Bool {
    (row.worst ?? .info) < .suspect
      && row.traits.isDisjoint(with: [.root, .shares, .subject, .source, .timer])
  }

  // MARK: Files

  private func byFile(_ nodes: [ProgramMap.Node], _ inspection: Inspection) -> [ProgramMap.Node] {
    grouped(nodes) { node in
      if case .module = node.id { return nil }
      return .file(inspection.site(node.sites[0])?.file ?? "")
    }
  }

  /// Nodes of the same group are one, unless it is unfolded; what has no group stays.
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

  /// The module of a line that is not drawn by itself; nil for others.
  private func module(of site: UInt32, _ inspection: Inspection) -> String? {
    guard let own = module, let other = inspection.site(site)?.module, other != own else {
      return nil
    }
    return other
  }
}
