extension Part {
  /// The total length of all lines, in layers, above which cycles are broken in a way that keeps
  /// paths short.
  private static let shortPathLimit = 400_000
  /// The total length of all lines, in layers, above which the longest lines are not drawn.
  private static let drawingLimit = 400_000

  /// The edges of the part, turned around where they close cycles.
  ///
  /// Edges that were turned around in the previous layout are preferred, to keep the drawing
  /// stable.
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

  /// Leaves out the longest edges if the drawing would become too large otherwise.
  ///
  /// Thousands of edges that each pass thousands of layers could not be read anyway.
  mutating func limitSize() {
    // No edge passes more layers than there are nodes.
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
