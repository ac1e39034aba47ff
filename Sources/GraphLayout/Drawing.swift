/// A drawing of one connected part of the graph: the layers of its nodes, the order within each
/// layer, and the row of each node, but not the routes of its lines.
struct Drawing: Sendable {
  /// The layered graph.
  let graph: LayeredGraph
  /// The order of the vertices in each layer.
  let order: LayerOrder
  /// The row on which lines reach each vertex, counted from the top of the part.
  private(set) var rows: [Int]
  /// The cost of the drawing, by which drawings are compared; lower is better.
  private(set) var cost: Int

  /// The maximum number of edges for which each of the four assignments of rows (``RowAssignment``)
  /// is tried by itself, in addition to their combination.
  private static let attemptLimit = 400

  /// Assigns rows to a graph whose layers are ordered, and computes the cost of the result.
  ///
  /// With `isThorough`, several assignments of rows are tried, and the best is kept.
  init(graph: LayeredGraph, order: LayerOrder, context: DrawingContext, isThorough: Bool = false) {
    self.graph = graph
    self.order = order
    var above = [Int](repeating: 0, count: graph.vertexCount)
    var below = above
    for (vertex, size) in context.sizes.enumerated() {
      above[vertex] = max(1, size.height) / 2
      below[vertex] = max(1, size.height) - 1 - above[vertex]
    }
    let assignment = RowAssignment(
      graph: graph,
      order: order,
      above: above,
      below: below,
      gap: max(0, context.options.gap)
    )
    guard context.options.straightens else {
      rows = assignment.compacted(assignment.rows(straightens: false))
      cost = context.cost(graph: graph, order: order, rows: rows)
      return
    }
    let candidates = assignment.candidates()
    rows = assignment.compacted(RowAssignment.middle(candidates))
    cost = context.cost(graph: graph, order: order, rows: rows)
    guard isThorough, context.countsStraightCrossings else { return }
    let attempts = context.flow.tails.count <= Self.attemptLimit ? candidates : []
    for candidate in attempts where cost > 0 {
      let other = assignment.compacted(candidate)
      let otherCost = context.cost(graph: graph, order: order, rows: other)
      if otherCost < cost { (rows, cost) = (other, otherCost) }
    }
    guard cost > 0 else { return }
    var refinement = RowRefinement(
      assignment: assignment,
      context: context,
      rows: rows,
      effort: 600_000
    )
    refinement.run(passes: 3)
    let refined = assignment.compacted(refinement.rows)
    let refinedCost = context.cost(graph: graph, order: order, rows: refined)
    if refinedCost < cost { (rows, cost) = (refined, refinedCost) }
  }
}
