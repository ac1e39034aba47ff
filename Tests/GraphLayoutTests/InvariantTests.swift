import GraphLayout
import Testing

/// Properties that every layout of every graph has.
@Suite struct InvariantTests {
  /// A cell and the direction in which a route passes through it.
  struct Stretch: Hashable {
    var column: Int
    var row: Int
    var isHorizontal: Bool
  }

  /// The use of a cell by a route: the route's net (the routes that share one line with branches),
  /// its left and right node, and whether the cell is in its first or last straight piece.
  struct Use {
    var net: Int
    var left: Int
    var right: Int
    var isFirstPiece: Bool
    var isLastPiece: Bool
  }

  @Test(arguments: Samples.options)
  func noNodeOverlapsAnother(options: GraphLayout.Options) {
    for graph in Samples.all { #expect(cellsOfNodes(graph, options) != nil) }
  }

  @Test(arguments: Samples.options)
  func noRouteLeadsThroughANode(options: GraphLayout.Options) throws {
    for graph in Samples.all {
      let layout = GraphLayout(graph, options: options)
      let nodes = try #require(cellsOfNodes(graph, options))
      for route in layout.routes {
        for cell in cells(of: route) {
          #expect(nodes[GraphLayout.Point(column: cell.column, row: cell.row)] == nil)
        }
      }
    }
  }

  @Test(arguments: Samples.options)
  func everyRouteConnectsItsNodes(options: GraphLayout.Options) throws {
    for graph in Samples.all {
      let layout = GraphLayout(graph, options: options)
      #expect(layout.routes.count == graph.edges.count)
      for (edge, route) in zip(graph.edges, layout.routes) {
        #expect(route.isLoop == (edge.from == edge.to))
        let isDrawn =
          edge.from != edge.to && graph.nodes.indices.contains(edge.from)
          && graph.nodes.indices.contains(edge.to)
        #expect(route.points.isEmpty == !isDrawn)
        guard isDrawn else { continue }
        let (left, right) = route.isReversed ? (edge.to, edge.from) : (edge.from, edge.to)
        let first = try #require(route.points.first)
        let last = try #require(route.points.last)
        #expect(first.column == layout.places[left].column + graph.nodes[left].width)
        #expect(last.column == layout.places[right].column - 1)
        #expect(rows(of: left, graph, layout).contains(first.row))
        #expect(rows(of: right, graph, layout).contains(last.row))
        #expect(layout.places[left].layer < layout.places[right].layer)
        for (start, end) in zip(route.points, route.points.dropFirst()) {
          #expect(start.column == end.column || start.row == end.row)
        }
      }
    }
  }

  @Test(arguments: Samples.options)
  func routesOfDifferentNetsOnlyCross(options: GraphLayout.Options) {
    for (number, graph) in Samples.all.enumerated() {
      let layout = GraphLayout(graph, options: options)
      var uses: [Stretch: [Use]] = [:]
      var problems: [String] = []
      for (edge, route) in zip(graph.edges, layout.routes) where !route.points.isEmpty {
        let (left, right) = route.isReversed ? (edge.to, edge.from) : (edge.from, edge.to)
        for (stretch, piece) in stretches(of: route) {
          let use = Use(
            net: route.net,
            left: left,
            right: right,
            isFirstPiece: piece == 0,
            isLastPiece: piece == route.points.count - 2
          )
          for other in uses[stretch] ?? [] where other.net != use.net {
            let sharesTarget = other.right == right && other.isLastPiece && use.isLastPiece
            let sharesSource = other.left == left && other.isFirstPiece && use.isFirstPiece
            if stretch.isHorizontal && (sharesTarget || sharesSource) { continue }
            problems.append("nets \(use.net) and \(other.net) at \(stretch)")
          }
          uses[stretch, default: []].append(use)
        }
      }
      #expect(problems.isEmpty, "graph \(number): \(problems.first ?? "")")
    }
  }

  @Test(arguments: Samples.options)
  func everythingLiesWithinTheBounds(options: GraphLayout.Options) {
    for graph in Samples.all {
      let layout = GraphLayout(graph, options: options)
      for (node, place) in zip(graph.nodes, layout.places) {
        #expect(place.column >= 0 && place.column + node.width <= layout.columns)
        #expect(place.row >= 0 && place.row + node.height <= layout.rows)
      }
      for point in layout.routes.flatMap(\.points) {
        #expect((0..<layout.columns).contains(point.column))
        #expect((0..<layout.rows).contains(point.row))
      }
    }
  }

  @Test func theSameGraphGivesTheSameLayout() {
    for graph in Samples.all {
      let first = GraphLayout(graph)
      let second = GraphLayout(graph)
      #expect(first.places == second.places && first.routes == second.routes)
    }
  }

  @Test func routesOfOneNetShareAnEndNode() {
    for graph in Samples.all {
      let layout = GraphLayout(graph)
      for (edge, route) in zip(graph.edges, layout.routes) where !route.points.isEmpty {
        for (otherEdge, other) in zip(graph.edges, layout.routes) where other.net == route.net {
          let isSame = route.isReversed ? edge.to == otherEdge.to : edge.from == otherEdge.from
          #expect(isSame && route.isReversed == other.isReversed)
        }
      }
    }
  }

  /// The cells of all nodes, or nil if two nodes overlap.
  private func cellsOfNodes(
    _ graph: LayoutGraph,
    _ options: GraphLayout.Options
  ) -> [GraphLayout.Point: Int]? {
    let layout = GraphLayout(graph, options: options)
    var result: [GraphLayout.Point: Int] = [:]
    for (index, (node, place)) in zip(graph.nodes, layout.places).enumerated() {
      for column in place.column..<(place.column + node.width) {
        for row in place.row..<(place.row + node.height) {
          let point = GraphLayout.Point(column: column, row: row)
          guard result.updateValue(index, forKey: point) == nil else { return nil }
        }
      }
    }
    return result
  }

  private func rows(of node: Int, _ graph: LayoutGraph, _ layout: GraphLayout) -> Range<Int> {
    layout.places[node].row..<(layout.places[node].row + graph.nodes[node].height)
  }

  private func cells(of route: GraphLayout.Route) -> Set<GraphLayout.Point> {
    Set(stretches(of: route).map { GraphLayout.Point(column: $0.0.column, row: $0.0.row) })
  }

  /// The cells of a route, each with the index of the straight piece to which it belongs.
  private func stretches(of route: GraphLayout.Route) -> [(Stretch, Int)] {
    var result: [(Stretch, Int)] = []
    if route.points.count == 1, let point = route.points.first {
      return [(Stretch(column: point.column, row: point.row, isHorizontal: true), 0)]
    }
    for (piece, (start, end)) in zip(route.points, route.points.dropFirst()).enumerated() {
      for column in min(start.column, end.column)...max(start.column, end.column) {
        for row in min(start.row, end.row)...max(start.row, end.row) {
          result.append(
            (Stretch(column: column, row: row, isHorizontal: start.row == end.row), piece)
          )
        }
      }
    }
    return result
  }
}
