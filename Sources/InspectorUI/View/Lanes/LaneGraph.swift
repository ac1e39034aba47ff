/// A graph drawn in lanes, like the history that `git log --graph` draws: a line for each node, and
/// a column for each connection that passes the line.
///
/// Each node is below the nodes downstream of it.
struct LaneGraph {
  /// A line of the drawing: its lanes, and its node, which is nil if the line contains only
  /// connections.
  struct Line: Equatable {
    var lanes: String
    var node: Int?
  }

  /// The maximum number of nodes; with more, the drawing could become too wide to read.
  static let limit = 200

  private let glyphs: Glyphs
  private var columns: [Int?] = []
  private(set) var lines: [Line] = []

  /// Draws a graph.
  ///
  /// - Parameters:
  ///   - count: The number of nodes, which are numbered from 0.
  ///   - upstreams: The upstream nodes of each node. A connection that would close a cycle is left
  ///     out.
  ///   - glyphs: The characters that the terminal can show.
  init(count: Int, upstreams: [[Int]], _ glyphs: Glyphs) {
    self.glyphs = glyphs
    // Several connections between the same nodes are drawn as one.
    let upstreams = upstreams.map { nodes in
      var seen: Set<Int> = []
      return nodes.filter { seen.insert($0).inserted }
    }
    let order = Self.order(count, upstreams)
    var rank = [Int](repeating: 0, count: count)
    for (place, node) in order.enumerated() { rank[node] = place }
    for node in order {
      draw(node, upstreams[node].filter { rank[$0] > rank[node] })
    }
  }

  /// The nodes in the order of their lines: each node comes after the nodes downstream of it; if
  /// several nodes could be next, an upstream node of the previous node is preferred.
  private static func order(_ count: Int, _ upstreams: [[Int]]) -> [Int] {
    var waiting = [Int](repeating: 0, count: count)
    for upstreams in upstreams { for node in Set(upstreams) { waiting[node] += 1 } }
    var ready = (0..<count).filter { waiting[$0] == 0 }.reversed() as [Int]
    var order: [Int] = []
    var isDone = [Bool](repeating: false, count: count)
    while order.count < count {
      // If all remaining nodes depend on cycles, the first of them is next.
      let node = ready.popLast() ?? isDone.firstIndex(of: false) ?? 0
      if isDone[node] { continue }
      isDone[node] = true
      order.append(node)
      for upstream in upstreams[node].reversed() where !isDone[upstream] {
        waiting[upstream] -= 1
        if waiting[upstream] <= 0 { ready.append(upstream) }
      }
    }
    return order
  }

  private mutating func draw(_ node: Int, _ upstreams: [Int]) {
    let column = columns.firstIndex(of: node) ?? freeColumn()
    columns[column] = node
    lines.append(Line(lanes: nodeLine(column), node: node))
    let before = columns
    columns[column] = nil
    var edges: [Int] = []
    for upstream in upstreams {
      if let there = columns.firstIndex(of: upstream) {
        edges.append(there)
      } else {
        let there = columns[column] == nil ? column : freeColumn()
        columns[there] = upstream
        if there != column { edges.append(there) }
      }
    }
    if !edges.isEmpty { lines.append(Line(lanes: connection(column, edges, before), node: nil)) }
    while let last = columns.last, last == nil { columns.removeLast() }
  }

  private mutating func freeColumn() -> Int {
    if let free = columns.firstIndex(of: nil) { return free }
    columns.append(nil)
    return columns.count - 1
  }

  private func nodeLine(_ column: Int) -> String {
    columns.indices.map { place in
      (place == column ? glyphs.laneNode : columns[place] == nil ? " " : glyphs.lane(3)) + " "
    }.joined()
  }

  /// The line of text that connects one column with others, across the columns between them.
  private func connection(_ column: Int, _ edges: [Int], _ before: [Int?]) -> String {
    let ends = edges + [column]
    let left = ends.min() ?? column
    let right = ends.max() ?? column
    return columns.indices.map { place in
      let wasOpen = place < before.count && before[place] != nil
      // The bits are the directions: 1 up, 2 down, 4 left, 8 right.
      var bits = (wasOpen || place == column ? 1 : 0) + (columns[place] != nil ? 2 : 0)
      if place > left, place <= right { bits += 4 }
      if place >= left, place < right { bits += 8 }
      let isOver = place > left && place < right && !ends.contains(place)
      if isOver, bits & 3 != 0 { bits = 15 }
      return glyphs.lane(bits) + (place >= left && place < right ? glyphs.lane(12) : " ")
    }.joined()
  }
}

extension Glyphs {
  var laneNode: String { self == .ascii ? "*" : "●" }

  /// A piece of a connection with ends up (1), down (2), left (4) and right (8).
  func lane(_ bits: Int) -> String {
    let pieces =
      self == .ascii
      ? [" ", "|", "|", "|", "-", "'", ".", "+", "-", "`", ".", "+", "-", "+", "+", "+"]
      : [" ", "│", "│", "│", "─", "╯", "╮", "┤", "─", "╰", "╭", "├", "─", "┴", "┬", "┼"]
    return pieces[bits & 15]
  }
}
