/// Counts crossings of edges as if they were drawn as straight lines between the centres of their
/// nodes.
///
/// These crossings determine how tangled a drawing looks, whatever paths its lines take. Edges that
/// share a node do not cross.
package struct StraightCrossings: Sendable {
  /// The number of pairs of edges that cross in a point inside both.
  package let proper: Int
  /// The number of pairs of edges that only touch: an end of one edge lies on the other edge, or
  /// the edges run over each other.
  package let touching: Int

  /// How two edges without a common node meet.
  enum Meeting {
    /// The edges have no point in common.
    case none
    /// The edges cross in a point inside both.
    case crossing
    /// An end of one edge lies on the other edge, or the edges run over each other.
    case touch
  }

  /// How the line between two points meets the line between two others.
  @inline(__always)
  static func meeting(
    _ a: (x: Int, y: Int),
    _ b: (x: Int, y: Int),
    _ c: (x: Int, y: Int),
    _ d: (x: Int, y: Int)
  ) -> Meeting {
    if max(a.y, b.y) < min(c.y, d.y) || max(c.y, d.y) < min(a.y, b.y) { return .none }
    if max(a.x, b.x) < min(c.x, d.x) || max(c.x, d.x) < min(a.x, b.x) { return .none }
    @inline(__always)
    func side(_ a: (x: Int, y: Int), _ b: (x: Int, y: Int), _ c: (x: Int, y: Int)) -> Int {
      ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)).signum()
    }
    let first = side(a, b, c) * side(a, b, d)
    if first > 0 { return .none }
    let second = side(c, d, a) * side(c, d, b)
    if second > 0 { return .none }
    return first < 0 && second < 0 ? .crossing : .touch
  }

  /// Counts all pairs of edges that cross or touch.
  ///
  /// - Complexity: O(e²) for e edges in the worst case; pairs without a common column are skipped.
  package init(centers: [(x: Int, y: Int)], edges: [(from: Int, to: Int)]) {
    struct Line {
      var from: Int
      var to: Int
      var start: (x: Int, y: Int)
      var end: (x: Int, y: Int)
      var left: Int
      var right: Int
      var top: Int
      var bottom: Int
    }
    var lines = edges.map { edge in
      let (a, b) = (centers[edge.from], centers[edge.to])
      return Line(
        from: edge.from,
        to: edge.to,
        start: a,
        end: b,
        left: min(a.x, b.x),
        right: max(a.x, b.x),
        top: min(a.y, b.y),
        bottom: max(a.y, b.y)
      )
    }
    lines.sort { ($0.left, $0.from, $0.to) < ($1.left, $1.from, $1.to) }
    var (proper, touching) = (0, 0)
    lines.withUnsafeBufferPointer { lines in
      for index in lines.indices {
        let first = lines[index]
        for other in (index + 1)..<max(index + 1, lines.count) {
          let second = lines[other]
          if second.left > first.right { break }
          if second.bottom < first.top || second.top > first.bottom { continue }
          if first.from == second.from || first.from == second.to || first.to == second.from
            || first.to == second.to
          {
            continue
          }
          switch Self.meeting(first.start, first.end, second.start, second.end) {
          case .none: break
          case .crossing: proper += 1
          case .touch: touching += 1
          }
        }
      }
    }
    self.proper = proper
    self.touching = touching
  }
}
