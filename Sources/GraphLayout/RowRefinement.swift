/// Moves nodes to free rows of their layers if fewer edges, drawn as straight lines
/// (``StraightCrossings``), would cross then.
///
/// The order of each layer stays as it is, so the actual lines between layers cross as before.
struct RowRefinement {
  private let assignment: RowAssignment
  private let context: DrawingContext
  /// The current rows.
  private(set) var rows: [Int]
  private var centers: [(x: Int, y: Int)]
  private let incident: Adjacency
  private var effort: Int

  /// Prepares to refine rows, which must already keep all required distances.
  ///
  /// `effort` bounds the number of pairs of edges that are compared.
  init(assignment: RowAssignment, context: DrawingContext, rows: [Int], effort: Int) {
    self.assignment = assignment
    self.context = context
    self.rows = rows
    self.effort = effort
    centers = context.centers(graph: assignment.graph, rows: rows)
    let flow = context.flow
    incident = Adjacency(
      count: flow.count,
      from: flow.tails + flow.heads,
      to: flow.heads + flow.tails
    )
  }

  /// Tries to move each node, in at most `passes` passes.
  mutating func run(passes: Int) {
    let bounds = assignment.extent(rows)
    for _ in 0..<passes {
      var hasImproved = false
      for node in 0..<context.flow.count {
        guard effort > 0 else { return }
        if improve(node, within: bounds) { hasImproved = true }
      }
      guard hasImproved else { return }
    }
  }

  /// Moves one node to the best of some free rows, and returns whether it has moved.
  private mutating func improve(_ node: Int, within bounds: ClosedRange<Int>) -> Bool {
    let layer = assignment.order.layers[assignment.graph.layers[node]]
    let position = assignment.order.positions[node]
    var least = bounds.lowerBound + assignment.above[node]
    var most = bounds.upperBound - assignment.below[node]
    if position > 0 {
      let upper = layer[position - 1]
      least = max(least, rows[upper] + assignment.distance(upper, node))
    }
    if position + 1 < layer.count {
      let lower = layer[position + 1]
      most = min(most, rows[lower] - assignment.distance(node, lower))
    }
    guard least < most else { return false }
    let start = rows[node]
    var best = start
    var fewest = crossings(of: node)
    guard fewest > 0 else { return false }
    for row in [start - 1, start + 1, start - 2, start + 2, (least + most) / 2, least, most]
    where row != start && least <= row && row <= most {
      centers[node].y = context.centerRow(of: node, row: row)
      let crossings = crossings(of: node)
      if crossings < fewest {
        fewest = crossings
        best = row
      }
    }
    rows[node] = best
    centers[node].y = context.centerRow(of: node, row: best)
    return best != start
  }

  /// The number of times that other edges cross or touch the edges of a node.
  private mutating func crossings(of node: Int) -> Int {
    var count = 0
    context.flow.tails.withUnsafeBufferPointer { tails in
      context.flow.heads.withUnsafeBufferPointer { heads in
        centers.withUnsafeBufferPointer { centers in
          for slot in incident.slots(node) {
            let other = incident.neighbours[slot]
            effort -= tails.count
            for edge in tails.indices {
              let (tail, head) = (tails[edge], heads[edge])
              let meeting = StraightCrossings.meeting(
                centers[node],
                centers[other],
                centers[tail],
                centers[head]
              )
              if meeting == .none { continue }
              if tail == node || head == node || tail == other || head == other { continue }
              count += 1
            }
          }
        }
      }
    }
    return count
  }
}
