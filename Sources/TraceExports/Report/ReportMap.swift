import GraphLayout
import TraceFindings
import TraceModel
import TraceReading

/// The flow of events through the whole program, as a drawing.
struct ReportMap {
  private let map: ProgramMap
  private let accounts: [MapAccount]
  private let inspection: Inspection
  private let sites: ReportSites

  /// The maximum numbers of nodes and edges; a larger drawing would be unreadable, so none is made.
  private static let limit = (nodes: 800, edges: 2000)
  /// The size of a layout cell in pixels (`cell`), and the size of a node in cells (`height`,
  /// `widths`).
  private static let cell = (width: 8, height: 14)
  private static let height = 4
  private static let widths = 18...38
  private static let margin = 12

  init(_ inspection: Inspection, _ sites: ReportSites, _ source: inout TraceSource)
    throws(TraceError)
  {
    (self.inspection, self.sites) = (inspection, sites)
    var flow: FlowReport?
    if case .flow(let report) = try source.query(.flow(from: .zero, to: inspection.instant.time)) {
      flow = report
    }
    map = ProgramMap(inspection, flow: flow)
    accounts = map.nodes.map { [inspection] in MapAccount($0, in: inspection) }
  }

  func write(_ html: inout HTMLWriter) {
    html.section("map", "Map") { html in
      guard !map.nodes.isEmpty else {
        return html.element(
          "p",
          text: inspection.program.isIncomplete
            ? "Nothing is known that could be drawn, but the recording is incomplete, so this proves nothing."
            : "Nothing lived at the end of the recording, and no finding accuses a line of code: there is nothing to draw."
        )
      }
      guard map.nodes.count <= Self.limit.nodes, map.edges.count <= Self.limit.edges else {
        return html.element("p") {
          $0.prose(
            "\(map.nodes.count) nodes and \(map.edges.count) connections are too many for a drawing; the screen Map of `rxtop \(inspection.program.fileName)` folds and searches them."
          )
        }
      }
      html.element("p", text: explanation)
      writeTools(&html)
      html.element(
        "div",
        [
          "class": "scroll", "id": "map-frame", "tabindex": "0", "role": "region",
          "aria-label": "Map of the program",
        ]
      ) { draw(&$0) }
      writeList(&html)
    }
  }

  private var explanation: String {
    let what =
      switch map.level {
      case .lines: "A box is a line of code, or several that follow one another"
      case .files: "A box is a file, as there are many lines of code"
      case .modules: "A box is a module, as there are many lines of code"
      }
    let past = map.isPast ? " Nothing is connected any more at the end: it is drawn as it was." : ""
    return
      "\(what). Arrows lead from what sends to what receives; a dashed one leads to another queue, a dotted one belongs to something that has ended. "
      + "What findings accuse has a heavy border and the level in words. A box leads to its row in the table.\(past)"
  }

  private func writeTools(_ html: inout HTMLWriter) {
    html.element("p", ["class": "tools", "hidden": ""]) { html in
      for (action, title) in [
        ("in", "Larger"), ("out", "Smaller"), ("fit", "Fit"), ("focus", "Only what is connected"),
      ] {
        html.element("button", ["type": "button", "data-map": action], text: title)
        html.raw(" ")
      }
      html.element(
        "span",
        ["class": "dim"],
        text:
          "Keys on the map: + - 0 for the size, arrows along the flow, f for what is connected with a box, Esc for all."
      )
    }
    html.element("p", ["id": "map-status", "role": "status", "class": "hint"]) { _ in }
  }

  // MARK: Drawing

  private func draw(_ html: inout HTMLWriter) {
    let widths = accounts.map { account in
      let longest = Self.lines(account, most: .max).map(DisplayText.columns).max() ?? 0
      return min(max(Self.widths.lowerBound, longest + 2), Self.widths.upperBound)
    }
    let layout = GraphLayout(
      LayoutGraph(
        nodes: map.nodes.indices.map {
          LayoutGraph.Node(id: map.nodes[$0].id.number, width: widths[$0], height: Self.height)
        },
        edges: map.edges.map { LayoutGraph.Edge(from: $0.from, to: $0.to) }
      ),
      options: GraphLayout.Options(gap: 1, partGap: 2)
    )
    let width = layout.columns * Self.cell.width + 2 * Self.margin
    let height = layout.rows * Self.cell.height + 2 * Self.margin
    html.element(
      "svg",
      [
        "id": "map-drawing", "width": "\(width)", "height": "\(height)",
        "viewBox": "0 0 \(width) \(height)", "role": "group", "aria-label": "Nodes of the map",
      ]
    ) { html in
      for (edge, route) in zip(map.edges, layout.routes) { draw(edge, route, &html) }
      let order = layout.places.indices.sorted {
        let (one, two) = (layout.places[$0], layout.places[$1])
        return (one.column, one.row, $0) < (two.column, two.row, $1)
      }
      for node in order { draw(node, layout.places[node], width: widths[node], &html) }
    }
  }

  private func draw(_ edge: ProgramMap.Edge, _ route: GraphLayout.Route, _ html: inout HTMLWriter) {
    guard let first = route.points.first, let last = route.points.last else { return }
    func middle(_ row: Int) -> Int { row * Self.cell.height + Self.cell.height / 2 + Self.margin }
    func center(_ column: Int) -> Int {
      column * Self.cell.width + Self.cell.width / 2 + Self.margin
    }
    let left = first.column * Self.cell.width + Self.margin
    let right = (last.column + 1) * Self.cell.width + Self.margin
    var path = "M\(left) \(middle(first.row))"
    for point in route.points { path += "L\(center(point.column)) \(middle(point.row))" }
    path += "H\(right)"
    path +=
      route.isReversed
      ? "M\(left + 6) \(middle(first.row) - 4)l-6 4l6 4"
      : "M\(right - 6) \(middle(last.row) - 4)l6 4l-6 4"
    var style = "edge"
    if edge.isHop { style += " hop" }
    if edge.live == 0 { style += " past" }
    html.raw("\n")
    html.element(
      "path",
      ["class": style, "d": path, "data-from": "\(edge.from)", "data-to": "\(edge.to)"]
    ) { $0.element("title", text: Self.words(edge)) }
  }

  private func draw(_ node: Int, _ place: GraphLayout.Place, width: Int, _ html: inout HTMLWriter) {
    let account = accounts[node]
    let (x, y) = (
      place.column * Self.cell.width + Self.margin, place.row * Self.cell.height + Self.margin
    )
    let level = account.worst.map { " \($0.label.lowercased())" } ?? ""
    let link = map.nodes[node].sites.lazy.compactMap(sites.link).first
    html.raw("\n")
    html.element(
      "a",
      [
        "class": "node\(level)", "href": link ?? "#sites",
        "data-node": "\(node)", "aria-label": label(node),
      ]
    ) { html in
      html.element(
        "rect",
        [
          "x": "\(x)", "y": "\(y)", "rx": "4", "width": "\(width * Self.cell.width)",
          "height": "\(Self.height * Self.cell.height)",
        ]
      ) { _ in }
      for (row, line) in Self.lines(account, most: width - 2).enumerated() {
        html.element(
          "text",
          [
            "x": "\(x + Self.cell.width)", "y": "\(y + 16 + 16 * row)",
            "class": ["name", "place", "state"][row],
          ],
          text: line
        )
      }
    }
  }

  /// The three lines of a box.
  private static func lines(_ account: MapAccount, most: Int) -> [String] {
    var state = account.worst.map { [$0.label] } ?? []
    state.append("live \(Quantity.count(account.live))")
    if account.failed > 0 { state.append("failed \(Quantity.count(account.failed))") }
    if let scheduler = account.scheduler { state.append(scheduler) }
    return [account.name, account.place, state.joined(separator: " · ")].map { line in
      let shown = displayName(line, columns: 60)
      return most == .max ? shown : DisplayText.shortened(shown, to: most)
    }
  }

  private func label(_ node: Int) -> String {
    let account = accounts[node]
    let loops = map.edges.contains { $0.from == node && $0.to == node } ? ["feeds itself"] : []
    return (Self.lines(account, most: .max) + loops).joined(separator: ", ")
  }

  private static func words(_ edge: ProgramMap.Edge) -> String {
    var parts = [edge.live == 0 ? "ended" : "\(Quantity.count(edge.live)) live"]
    if edge.carried > 0 { parts.append("\(Quantity.count(edge.carried)) events") }
    if edge.isHop { parts.append("to another queue") }
    if edge.isSent { parts.append("sent by a handler") }
    return parts.joined(separator: ", ")
  }

  // MARK: In words

  /// Writes the map as a list, for people who cannot see the drawing.
  private func writeList(_ html: inout HTMLWriter) {
    func name(_ node: Int) -> String { "\(accounts[node].name) (\(accounts[node].place))" }
    let next = Dictionary(grouping: map.edges.filter { $0.from != $0.to }, by: \.from)
    html.element("details") { html in
      html.element("summary", text: "The map in words")
      html.list(
        map.nodes.indices.map { node in
          let fed = (next[node] ?? []).map { "\(name($0.to)): \(Self.words($0))" }
          return fed.isEmpty
            ? "\(name(node)) feeds nothing else"
            : "\(name(node)) feeds \(fed.joined(separator: "; "))"
        }
      )
    }
  }
}
