import TraceModel
import TraceReading

/// Nodes and edges for formats that draw graphs.
///
/// The nodes are lines of code, or single subscriptions if there are few of them.
struct ExportGraph {
  struct Node {
    var name: String
    var location: String
    /// The figures, such as `live 812, 3.4/s` for a line of code, or `active, 42 events` for a
    /// subscription.
    var note: String
    var level: FindingLevel?
    /// The name of the signal of a subscription; nil for a line of code.
    var signal: String?
    /// The site; Graphviz draws the subscriptions of one site together.
    var site: UInt32
  }

  struct Edge {
    var from: Int
    var to: Int
    /// The number of subscriptions that the edge represents.
    var count: Int
    /// The scheduler of the downstream subscription; nil if it is unknown or the same as upstream.
    var hop: String?
  }

  private(set) var nodes: [Node] = []
  private(set) var edges: [Edge] = []
  let isBySubscription: Bool

  /// The number of lines of code of which every subscription had ended, if the program has ended;
  /// 0 while it runs.
  private var endedLineCount = 0

  /// By default, each live subscription is a node if there are at most this many.
  static let fewSubscriptions = 60

  init(_ inspection: Inspection, isBySubscription: Bool?, filter: String) {
    let live = inspection.subscriptions.filter { $0.state?.isLive != false }
    self.isBySubscription = isBySubscription ?? (live.count <= Self.fewSubscriptions)
    let rule = RowFilter(filter)
    if inspection.program.status != .running {
      endedLineCount = inspection.sites.count {
        $0.kind == .subscriptions && $0.live == 0 && ($0.everOfKind ?? 0) > 0
          && rule.admits("\($0.name)@\($0.location)")
      }
    }
    if self.isBySubscription {
      addSubscriptions(live.filter { rule.admits("\($0.name)@\($0.location)") }, inspection)
    } else {
      addSites(inspection, rule)
    }
  }

  /// A sentence that says that nothing, or not everything, is drawn, because only what is live at
  /// the end of the recording is; nil if all lines are drawn.
  var remark: String? {
    if nodes.isEmpty {
      return
        "Nothing is drawn: what is asked for has no live subscription at the end of the recording."
    }
    guard endedLineCount > 0 else { return nil }
    return
      "Only what was live at the end of the recording is drawn; left out: \(Quantity.of(endedLineCount, "line of code whose subscriptions had", "lines of code whose subscriptions had")) all ended."
  }

  private mutating func addSubscriptions(_ rows: [SubscriptionRow], _ inspection: Inspection) {
    var places: [EntityKey: Int] = [:]
    for row in rows {
      places[row.key] = nodes.count
      nodes.append(
        Node(
          name: "\(row.name) \(row.key.label)",
          location: row.location,
          note: "\(row.stateWord), \(Quantity.count(row.events)) events",
          level: inspection.findings.first { $0.subject == row.key }?.level,
          signal: row.composedName,
          site: row.site
        )
      )
    }
    for row in rows {
      guard let from = places[row.key], let to = row.downstream.flatMap({ places[$0] }) else {
        continue
      }
      let downstream = row.downstream.flatMap(inspection.subscription)
      let hop = downstream?.scheduler != row.scheduler ? downstream?.scheduler : nil
      edges.append(Edge(from: from, to: to, count: 1, hop: hop))
    }
  }

  private mutating func addSites(_ inspection: Inspection, _ rule: RowFilter) {
    var places: [UInt32: Int] = [:]
    for row in inspection.sites
    where (row.live ?? 1) > 0 && rule.admits("\(row.name)@\(row.location)") {
      places[row.id] = nodes.count
      nodes.append(
        Node(
          name: row.name,
          location: row.location,
          note: "live \(Quantity.count(row.live)), \(Quantity.rate(row.rate))/s",
          level: row.worst,
          site: row.id
        )
      )
    }
    struct Key: Hashable {
      var from: Int
      var to: Int
    }
    var counts: [Key: (count: Int, hop: String?)] = [:]
    for row in inspection.subscriptions where row.state?.isLive != false {
      guard let downstream = row.downstream.flatMap(inspection.subscription),
        let from = places[row.site], let to = places[downstream.site]
      else { continue }
      let hop = downstream.scheduler != row.scheduler ? downstream.scheduler : nil
      let old = counts[Key(from: from, to: to)]
      counts[Key(from: from, to: to)] = ((old?.count ?? 0) + 1, old?.hop ?? hop)
    }
    edges = counts.map {
      Edge(from: $0.key.from, to: $0.key.to, count: $0.value.count, hop: $0.value.hop)
    }
    .sorted { ($0.from, $0.to) < ($1.from, $1.to) }
  }
}

/// The graph for Graphviz.
struct DOTExport {
  private let graph: ExportGraph

  init(_ graph: ExportGraph) { self.graph = graph }

  var text: String {
    var lines = ["digraph rxtop {", "  rankdir=LR;", "  node [shape=box, fontname=\"monospace\"];"]
    if let remark = graph.remark { lines.append("  // \(remark)") }
    let groups = Dictionary(grouping: graph.nodes.indices) { graph.nodes[$0].site }
    for site in groups.keys.sorted() {
      let members = groups[site] ?? []
      let isCluster = graph.isBySubscription && members.count > 1
      if isCluster, let first = members.first {
        lines.append("  subgraph cluster_\(site) {")
        lines.append("    label=\(Self.quoted(graph.nodes[first].location));")
      }
      for index in members {
        let node = graph.nodes[index]
        // Inside a label, \n is DOT's own line break.
        let label = [node.name, node.location, node.note].map(Self.escaped).joined(separator: "\\n")
        let color =
          node.level.map { $0 >= .leak ? ", color=red, penwidth=2" : ", color=orange" } ?? ""
        let signal =
          node.signal.map { ", tooltip=\(Self.quoted(displayName(endOf: $0, columns: 120)))" } ?? ""
        lines.append("  \(isCluster ? "  " : "")n\(index) [label=\"\(label)\"\(color)\(signal)];")
      }
      if isCluster { lines.append("  }") }
    }
    for edge in graph.edges {
      var attributes: [String] = []
      if edge.count > 1 { attributes.append("label=\"\(edge.count)\"") }
      if let hop = edge.hop {
        let label = (edge.count > 1 ? "\(edge.count) " : "") + "hop " + hop
        attributes = ["style=dashed", "label=\(Self.quoted(label))"]
      }
      let list = attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
      lines.append("  n\(edge.from) -> n\(edge.to)\(list);")
    }
    return lines.joined(separator: "\n") + "\n}\n"
  }

  static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  static func escaped(_ text: String) -> String {
    displayName(text, columns: 120).escaping(["\"": "\\\"", "\\": "\\\\"])
  }
}

/// The graph, or the journey of an event (what led to it, and what it led to), for Markdown.
enum MermaidExport {
  /// These limits are below those of Mermaid, which by default accepts 500 edges and 50,000
  /// characters.
  static let edgeLimit = 400
  static let textLimit = 45_000

  static func text(_ graph: ExportGraph) throws -> String {
    guard graph.edges.count <= edgeLimit else {
      throw ExportError(
        "Mermaid draws at most \(edgeLimit) connections and this graph has \(graph.edges.count); "
          + (graph.isBySubscription ? "use --by site, or " : "")
          + "narrow it with --filter, or export dot"
      )
    }
    var lines = ["flowchart LR"]
    if let remark = graph.remark { lines.append("  %% \(remark)") }
    for (index, node) in graph.nodes.enumerated() {
      let label = [node.name, node.location, node.note].map(escaped).joined(separator: "<br/>")
      lines.append("  n\(index)[\"\(label)\"]")
    }
    for edge in graph.edges {
      if let hop = edge.hop {
        lines.append("  n\(edge.from) -. \"hop \(escaped(hop))\" .-> n\(edge.to)")
      } else if edge.count > 1 {
        lines.append("  n\(edge.from) -->|\(edge.count)| n\(edge.to)")
      } else {
        lines.append("  n\(edge.from) --> n\(edge.to)")
      }
    }
    for (index, node) in graph.nodes.enumerated() where (node.level ?? .info) >= .leak {
      lines.append("  style n\(index) stroke:#c00,stroke-width:3px")
    }
    return try text(lines, orElse: "narrow it with --filter, or export dot")
  }

  /// The journey as a sequence diagram: threads are the participants, an event is a message of a
  /// thread to itself, and each change of thread is a message between two of them.
  static func text(_ journey: Journey) throws -> String {
    let remedy = "name an event with fewer related ones"
    guard journey.events.count <= edgeLimit else {
      throw ExportError(
        "Mermaid draws at most \(edgeLimit) connections and this journey has \(journey.events.count) events; \(remedy)"
      )
    }
    var lines = ["sequenceDiagram"]
    var participants: [String: Int] = [:]
    for event in journey.events where participants[event.thread] == nil {
      participants[event.thread] = participants.count
      let name = event.thread.isEmpty ? "unknown thread" : event.thread
      lines.append("  participant t\(participants.count - 1) as \(escaped(name))")
    }
    var thread: String?
    for event in journey.events {
      guard let place = participants[event.thread] else { continue }
      let what = "\(event.what) \(event.subjectText) \(event.text)"
      if let thread, thread != event.thread, let from = participants[thread] {
        lines.append("  t\(from)-->>t\(place): \(escaped(Quantity.moment(event.time)))")
      }
      lines.append("  t\(place)->>t\(place): \(escaped(what))")
      thread = event.thread
    }
    return try text(lines, orElse: remedy)
  }

  private static func text(_ lines: [String], orElse remedy: String) throws -> String {
    let text = lines.joined(separator: "\n") + "\n"
    guard text.utf8.count <= textLimit else {
      throw ExportError(
        "Mermaid takes at most \(textLimit) characters and this graph needs \(text.utf8.count); \(remedy)"
      )
    }
    return text
  }

  private static let codes: [Unicode.Scalar: String] = [
    "\"": "#quot;", "<": "#lt;", ">": "#gt;", "#": "#35;", ";": "#59;", ":": "#58;", "\\": "#92;",
    "`": "#96;",
  ]

  /// The text, with Mermaid's codes in place of the characters that have a meaning in Mermaid.
  static func escaped(_ text: String) -> String {
    displayName(text, columns: 80).escaping(codes)
  }
}
