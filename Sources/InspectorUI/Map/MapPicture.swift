import GraphLayout
import TraceModel

/// The map of the program at one instant, with the positions of its nodes and connections in cells.
struct MapPicture: Sendable {
  /// The inputs from which a picture is made; a picture with equal inputs can be reused.
  struct Origin: Equatable, Sendable {
    var inspectionNumber: Int
    var focus: ProgramMap.ID?
    var folding: MapFolding
    var showsEnded: Bool
    var filter: String
    var style: MapStyle?
    var query: Int
    var room: Size
  }

  let origin: Origin
  let map: ProgramMap
  let style: MapStyle
  let accounts: [MapAccount]
  private let drawing: Drawing
  /// The line that the worst finding accuses; nil if that finding is only a note (`info`).
  private let accused: UInt32?
  /// The indices of the nodes, sorted from left to right by layer, and from top to bottom in a
  /// layer.
  let order: [Int]
  /// The number of lines of code that a filter excludes.
  let hiddenLines: Int
  /// The indices of the connections that carry events at this instant.
  let flowing: [Int]
  /// The number of live subscriptions of the whole program.
  let live: Int

  private struct Drawing: Sendable {
    var layout: GraphLayout
    var graph: LayoutGraph
    var widths: [Int]
  }

  /// The positions of nodes and connections.
  var layout: GraphLayout { drawing.layout }

  /// - Parameters:
  ///   - map: The map.
  ///   - inspection: The inspection of the instant that the picture shows.
  ///   - before: The previous picture; nodes keep the positions that they have in it if possible.
  ///   - origin: The inputs from which the picture is made.
  ///   - hiddenLines: The number of lines of code that a filter excludes from the map.
  init(
    _ map: ProgramMap,
    _ inspection: Inspection,
    after before: MapPicture?,
    _ origin: Origin,
    hiddenLines: Int
  ) {
    self.origin = origin
    self.map = map
    self.hiddenLines = hiddenLines
    live = inspection.liveSubscriptions
    accounts = map.nodes.map { MapAccount($0, in: inspection) }
    let accounts = accounts
    flowing = map.edges.indices.filter { edge in
      (accounts[map.edges[edge].from].rate ?? 0) > 0
        && (map.edges[edge].carried > 0 || !map.edges[edge].isCounted)
    }
    let hops = Set(map.edges.filter(\.isHop).map(\.to))
    func laidOut(_ style: MapStyle, _ most: Int) -> Drawing {
      let widths = accounts.indices.map {
        min(most, Self.width(accounts[$0], style, isHop: hops.contains($0)))
      }
      let graph = LayoutGraph(
        nodes: map.nodes.indices.map {
          LayoutGraph.Node(id: map.nodes[$0].id.number, width: widths[$0], height: style.height)
        },
        edges: map.edges.map { LayoutGraph.Edge(from: $0.from, to: $0.to) }
      )
      let same = before.flatMap { $0.style == style ? $0 : nil }
      if let same, same.drawing.graph == graph { return same.drawing }
      let layout = GraphLayout(graph, after: same?.layout.memory)
      return Drawing(layout: layout, graph: graph, widths: widths)
    }
    /// Lays out the map in a style.
    ///
    /// Nodes are as wide as their texts, or narrower if the drawing would not fit otherwise.
    func fitted(_ style: MapStyle) -> Drawing {
      let drawing = laidOut(style, style.widths.upperBound)
      let room = origin.room.columns
      guard drawing.layout.columns > room else { return drawing }
      let layers = 1 + (drawing.layout.places.map(\.layer).max() ?? 0)
      let channels = drawing.layout.columns - layers * (drawing.widths.max() ?? 0)
      let most = (room - max(channels, (layers - 1) * 5)) / layers
      return laidOut(style, max(style.least, most))
    }
    var style = origin.style ?? before?.style ?? .boxes
    var drawing = fitted(style)
    // The map begins with boxes. Once they do not fit, it keeps lines of text until the user asks
    // for boxes, so that it does not change back and forth.
    if origin.style == nil, style == .boxes,
      drawing.layout.rows > origin.room.rows || drawing.layout.columns > origin.room.columns
    {
      let lines = fitted(.lines)
      // If boxes are only too wide, and lines of text are too wide as well and no narrower, the map
      // keeps boxes, because boxes show more.
      let areLinesBetter =
        drawing.layout.rows > origin.room.rows || lines.layout.columns <= origin.room.columns
        || lines.layout.columns < drawing.layout.columns
      if areLinesBetter { (style, drawing) = (.lines, lines) }
    }
    self.style = style
    self.drawing = drawing
    accused = inspection.findings.first { $0.level >= .suspect }?.site
    let layout = drawing.layout
    let places = layout.places
    order = places.indices.sorted {
      (places[$0].layer, places[$0].row, $0) < (places[$1].layer, places[$1].row, $1)
    }
  }

  /// The index of a node; nil if it is not on the map.
  func place(of id: ProgramMap.ID?) -> Int? {
    guard let id else { return nil }
    return map.nodes.firstIndex { $0.id == id }
  }

  func cells(of node: Int) -> (columns: Range<Int>, rows: Range<Int>) {
    let place = layout.places[node]
    return (
      place.column..<(place.column + drawing.widths[node]), place.row..<(place.row + style.height)
    )
  }

  /// The node at a cell.
  func node(atRow row: Int, column: Int) -> Int? {
    map.nodes.indices.first { node in
      let cells = cells(of: node)
      return cells.rows.contains(row) && cells.columns.contains(column)
    }
  }

  /// The node that is selected when the map is opened: the node that the worst finding accuses, or
  /// else, of the nodes with the most severe finding, the first in ``order``; if there are only
  /// notes (`info`) or nothing, the first node of all.
  var first: Int? {
    if let site = accused, let node = map.nodes.firstIndex(where: { $0.sites.contains(site) }) {
      return node
    }
    let worst = order.compactMap { accounts[$0].worst }.max() ?? .info
    return order.first { worst >= .suspect && accounts[$0].worst == worst } ?? order.first
  }

  /// The width of a node, which does not depend on the node's figures, so that changes of the
  /// figures do not change the layout.
  private static func width(_ account: MapAccount, _ style: MapStyle, isHop: Bool) -> Int {
    let name = CellWidth.of(displayName(account.name, columns: 60))
    let wanted =
      switch style {
      case .boxes: max(name + 10, CellWidth.of(displayName(account.place, columns: 60)) + 4)
      case .lines:
        name + CellWidth.of(displayName(account.shortPlace, columns: 60)) + 8
          + (isHop ? CellWidth.of(displayName(account.scheduler ?? "", columns: 12)) : 0)
      }
    return min(max(style.widths.lowerBound, wanted), style.widths.upperBound)
  }
}
