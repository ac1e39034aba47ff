extension Part {
  /// If all edges together pass through more layers than this, cycles are broken in a way that
  /// keeps paths short.
  private static let shortPathLimit = 400_000
  /// If all edges together pass through more layers than this, the longest edges are not drawn.
  private static let drawingLimit = 400_000

  /// The graph of the part, with edges reversed so that there are no cycles.
  ///
  /// Edges that were reversed in the previous layout are preferred, to keep the drawing stable.
  func flowWithoutCycles(preferring preferred: [Int] = []) -> FlowGraph {
    var result = flow
    result.breakCycles(preferring: preferred)
    if result.isReversed.contains(true),
      result.passedLayers().reduce(0, +) > Self.shortPathLimit
    {
      result = flow
      result.breakCyclesByDistance()
    }
    return result
  }

  /// Leaves out the longest edges if the drawing would otherwise become too large.
  ///
  /// A drawing with thousands of edges that pass through thousands of layers would be unreadable.
  mutating func limitSize() {
    // No edge passes through more layers than there are nodes.
    guard flow.count * flow.tails.count > Self.drawingLimit else { return }
    let passed = flowWithoutCycles().passedLayers()
    var total = passed.reduce(0, +)
    guard total > Self.drawingLimit else { return }
    var isOmitted = [Bool](repeating: false, count: passed.count)
    for edge in passed.indices.sorted(by: { (-passed[$0], $0) < (-passed[$1], $1) }) {
      guard total > Self.drawingLimit else { break }
      total -= passed[edge]
      isOmitted[edge] = true
    }
    let kept = passed.indices.filter { !isOmitted[$0] }
    flow.tails = kept.map { flow.tails[$0] }
    flow.heads = kept.map { flow.heads[$0] }
    flow.weights = kept.map { flow.weights[$0] }
    flow.isReversed = kept.map { flow.isReversed[$0] }
    edges = kept.map { edges[$0] }
  }
}
