/// A drawing of a graph in layers from left to right, in the cells of a terminal.
///
/// Nodes are arranged in layers so that edges lead to the right, except for edges that close a
/// cycle. The stages are those of Sugiyama et al. (1981): break cycles, assign layers, order each
/// layer, assign rows, route lines. The result depends only on the arguments.
package struct GraphLayout: Sendable {
  /// The position of a cell.
  package struct Point: Sendable, Hashable {
    /// The column, from zero at the left.
    package var column: Int
    /// The row, from zero at the top.
    package var row: Int

    /// Creates a point.
    package init(column: Int, row: Int) {
      self.column = column
      self.row = row
    }
  }

  /// The position of a node.
  package struct Place: Sendable, Hashable {
    /// The layer within the connected part of the graph that contains the node, from zero at the
    /// left.
    package var layer: Int
    /// The index among the nodes of the layer, from zero at the top.
    package var order: Int
    /// The leftmost column.
    package var column: Int
    /// The uppermost row.
    package var row: Int
  }

  /// The path of one edge.
  package struct Route: Sendable, Hashable {
    /// Whether the edge closes a cycle and therefore leads to the left.
    ///
    /// Its points still run from left to right, that is, from the node that it enters to the node
    /// that it leaves, and its arrowhead is at the first point.
    package var isReversed: Bool
    /// Whether the edge leads from a node to itself, in which case it has no points.
    package var isLoop: Bool
    /// The corners of a line of horizontal and vertical pieces, from the cell to the right of one
    /// node to the cell to the left of the other.
    ///
    /// A route has at least two points, or none if its edge is not drawn. An edge is not drawn if
    /// it is a loop, or names a node that does not exist. The longest edges of a connected part are
    /// not drawn either if all its edges together would pass through several hundred thousand
    /// layers.
    package var points: [Point]
    /// The number of the net; -1 if there are no points.
    ///
    /// A net consists of the edges that have the same left node and the same direction, and that
    /// therefore share a line as far as possible. Lines of different nets share cells only where
    /// they cross, and in the horizontal pieces next to a node at which both begin or end.
    package var net: Int
  }

  /// The places of the nodes, in the order of the graph.
  package private(set) var places: [Place]
  /// The routes of the edges, in the order of the graph.
  package private(set) var routes: [Route]
  /// The number of columns that nodes and routes occupy.
  package private(set) var columns: Int
  /// The number of rows that nodes and routes occupy.
  package private(set) var rows: Int
  /// The number of crossings of lines between neighbouring layers.
  ///
  /// Edges that share a line count once.
  package private(set) var crossings: Int
  /// The information that the next layout needs to keep nodes where they are.
  package private(set) var memory: Memory

  /// Lays out a graph.
  ///
  /// - Parameters:
  ///   - graph: The graph; every graph has a layout.
  ///   - previous: The memory of the previous layout. Nodes that were part of it keep their layer
  ///     and their relative order, unless an edge forces them to move or a new layout would have
  ///     far fewer crossings.
  ///   - options: The distances between nodes.
  /// - Complexity: Nearly linear in the size of the drawing for large graphs. For small graphs,
  ///   more drawings are tried; a few hundred nodes take a few milliseconds.
  package init(_ graph: LayoutGraph, after previous: Memory? = nil, options: Options = Options()) {
    var graph = graph
    for index in graph.nodes.indices {
      // Sizes are limited, so that sums of them cannot overflow.
      graph.nodes[index].width = min(max(1, graph.nodes[index].width), 1 << 20)
      graph.nodes[index].height = min(max(1, graph.nodes[index].height), 1 << 20)
    }
    var parts = Part.parts(of: graph)
    for index in parts.indices { parts[index].limitSize() }
    let known = previous ?? Memory()
    let layouts = parts.map {
      PartLayout($0, nodes: graph.nodes, memory: known, options: options)
    }
    // Parts keep their order. If a part is no longer connected, its pieces follow one another in
    // the order of their previous rows. New parts come last, the largest first.
    let ranks = parts.map { part -> (part: Int, row: Int) in
      part.nodes.lazy.compactMap { known.places[graph.nodes[$0].id] }
        .map { (part: $0.part, row: $0.row) }.min { $0 < $1 } ?? (part: .max, row: 0)
    }
    let sequence = parts.indices.sorted {
      (ranks[$0].part, ranks[$0].row, -parts[$0].nodes.count, $0)
        < (ranks[$1].part, ranks[$1].row, -parts[$1].nodes.count, $1)
    }
    let packing = PartPacking(layouts, sequence: sequence, gap: options.partGap)
    columns = packing.columns
    rows = packing.rows
    crossings = layouts.reduce(0) { $0 + $1.crossings }
    places = [Place](
      repeating: Place(layer: 0, order: 0, column: 0, row: 0),
      count: graph.nodes.count
    )
    routes = graph.edges.map { edge in
      Route(isReversed: false, isLoop: edge.from == edge.to, points: [], net: -1)
    }
    memory = Memory()
    var firstNet = 0
    for (number, index) in sequence.enumerated() {
      place(
        layouts[index],
        of: parts[index],
        at: packing.origins[index],
        number: number,
        firstNet: firstNet,
        nodes: graph.nodes
      )
      firstNet += layouts[index].netCount
    }
  }

  /// Moves the layout of a part to its position in the whole layout, and adds it to ``memory``.
  private mutating func place(
    _ layout: PartLayout,
    of part: Part,
    at origin: Point,
    number: Int,
    firstNet: Int,
    nodes: [LayoutGraph.Node]
  ) {
    for (local, node) in part.nodes.enumerated() {
      var place = layout.places[local]
      place.column += origin.column
      place.row += origin.row
      places[node] = place
      memory.places[nodes[node].id] = Memory.PreviousPlace(
        layer: place.layer,
        row: place.row + max(1, nodes[node].height) / 2,
        part: number
      )
    }
    for (passage, row) in layout.passages { memory.passages[passage] = row + origin.row }
    for (local, edges) in part.edges.enumerated() {
      let isReversed = layout.isReversed[local]
      let route = Route(
        isReversed: isReversed,
        isLoop: false,
        points: layout.points[local].map {
          Point(column: $0.column + origin.column, row: $0.row + origin.row)
        },
        net: firstNet + layout.nets[local]
      )
      for edge in edges { routes[edge] = route }
      if isReversed {
        memory.reversed.insert(
          Memory.Connection(
            from: nodes[part.nodes[part.flow.tails[local]]].id,
            to: nodes[part.nodes[part.flow.heads[local]]].id
          )
        )
      }
    }
  }
}
