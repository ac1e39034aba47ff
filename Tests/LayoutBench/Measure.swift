import GraphLayout

/// The crossings of straight edges; edges that only touch are counted separately.
func straightCrossings(_ graph: LayoutGraph, centers: [(x: Int, y: Int)]) -> StraightCrossings {
  var known = Set<LayoutGraph.Edge>()
  let edges = graph.edges.filter { $0.from != $0.to && known.insert($0).inserted }
  return StraightCrossings(centers: centers, edges: edges.map { ($0.from, $0.to) })
}

/// The crossings of a layout if its edges were straight.
func straightCrossings(_ graph: LayoutGraph, layout: GraphLayout) -> StraightCrossings {
  straightCrossings(
    graph,
    centers: graph.nodes.indices.map { node in
      let (place, size) = (layout.places[node], graph.nodes[node])
      return (x: 2 * place.column + size.width, y: 2 * place.row + size.height)
    }
  )
}

/// The median, or 0 if there are no values.
func median(_ values: [Double]) -> Double {
  values.isEmpty ? 0 : values.sorted()[values.count / 2]
}

/// A number with two decimal places.
func text(_ value: Double) -> String {
  let hundredths = Int((value * 100).rounded())
  let fraction = hundredths % 100
  return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
}

/// A value as text, padded on the left with blanks.
func padded(_ value: some CustomStringConvertible, _ width: Int) -> String {
  let text = value.description
  return String(repeating: " ", count: max(0, width - text.count)) + text
}
