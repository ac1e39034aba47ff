/// The neighbourhood of one node, which is a subscription, a signal or a line of code: its upstream
/// path above it, and everything downstream below it.
///
/// Above the node is the path by which events arrive. Wherever there are several inputs, the path
/// follows the busiest (for signals, the first), and the others are listed as branches. Below the
/// node is the tree of downstream nodes. Of the branches of one node, those beyond the first
/// ``fanOutLimit`` are folded into one line. A node that was already shown becomes a reference. A
/// node that leads back to itself ends its branch.
public enum Neighbourhood {
  /// The maximum number of branches of one node that are listed.
  public static let fanOutLimit = 8
  /// The maximum number of levels listed below and above the chosen node.
  static let deepest = 64

  /// The lines around a node, from the farthest upstream down.
  ///
  /// - Parameters:
  ///   - node: The chosen node.
  ///   - inspection: The inspection that contains it.
  ///   - columns: The width of the screen. It limits how deep the tree is shown: one level for
  ///     every two columns beyond 40, but at least 4 levels and at most 64.
  /// - Returns: The lines; empty if the inspection does not have the node.
  public static func lines(
    of node: TreeNode,
    in inspection: Inspection,
    columns: Int = 80
  ) -> [TreeLine] {
    let graph = NeighbourhoodGraph(inspection, for: node)
    guard graph.exists(node) else { return [] }
    var builder = TreeBuilder(graph: graph, depthLimit: max(4, (columns - 40) / 2))
    builder.addUpstream(of: node)
    builder.addChosen(node)
    builder.addDownstream(of: node, rails: [])
    return builder.lines
  }
}

/// Composes the lines of a neighbourhood.
private struct TreeBuilder {
  let graph: NeighbourhoodGraph
  let depthLimit: Int
  var lines: [TreeLine] = []
  private var printed: Set<TreeNode> = []
  /// Nodes on the way from the chosen node to the current line.
  private var path: [TreeNode] = []

  init(graph: NeighbourhoodGraph, depthLimit: Int) {
    self.graph = graph
    self.depthLimit = min(depthLimit, Neighbourhood.deepest)
  }

  // MARK: Above

  /// Adds the path that leads down to the node: one line for each step, at the left edge, followed
  /// by the other inputs of the step below.
  mutating func addUpstream(of node: TreeNode) {
    var steps: [(node: TreeNode, others: [TreeNode], isCycle: Bool)] = []
    var here = node
    var seen: Set<TreeNode> = [node]
    while let first = graph.upstreams(of: here).first {
      let others = Array(graph.upstreams(of: here).dropFirst())
      let isCycle = !seen.insert(first).inserted
      steps.append((first, others, isCycle))
      if isCycle || steps.count > Neighbourhood.deepest { break }
      here = first
    }
    if steps.count > depthLimit {
      lines.append(line([], .levels(steps.count - depthLimit), .upstream))
      steps.removeLast(steps.count - depthLimit)
    }
    for (index, step) in steps.enumerated().reversed() {
      let downstream = index == 0 ? node : steps[index - 1].node
      let hop = graph.hop(from: step.node, to: downstream)
      lines.append(line([], step.isCycle ? .cycle(step.node) : .node(step.node), .upstream, hop))
      printed.insert(step.node)
      addOthers(step.others, arrivingAt: downstream)
    }
  }

  private mutating func addOthers(_ others: [TreeNode], arrivingAt downstream: TreeNode) {
    let shown = others.prefix(Neighbourhood.fanOutLimit - 1)
    let hidden = others.dropFirst(shown.count)
    for other in shown {
      let isKnown = !printed.insert(other).inserted
      let hop = graph.hop(from: other, to: downstream)
      lines.append(line([.branch], isKnown ? .reference(other) : .node(other), .upstream, hop))
    }
    fold(hidden, rails: [.branch], .upstream)
  }

  // MARK: The node and below

  mutating func addChosen(_ node: TreeNode) {
    lines.append(line([], .node(node), .chosen))
    printed.insert(node)
    path = [node]
  }

  mutating func addDownstream(of node: TreeNode, rails: [TreeLine.Rail]) {
    let all = graph.downstreams(of: node)
    guard !all.isEmpty else { return }
    guard rails.count < depthLimit else {
      lines.append(line(rails + [.last], .levels(depth(downstreamOf: node)), .downstream))
      return
    }
    let shown = all.prefix(Neighbourhood.fanOutLimit)
    let hidden = all.dropFirst(shown.count)
    for (index, next) in shown.enumerated() {
      let isLast = index == shown.count - 1 && hidden.isEmpty
      let frame = rails + [isLast ? .last : .branch]
      let hop = graph.hop(from: node, to: next)
      if path.contains(next) {
        lines.append(line(frame, .cycle(next), .downstream, hop))
      } else if !printed.insert(next).inserted {
        lines.append(line(frame, .reference(next), .downstream, hop))
      } else {
        lines.append(line(frame, .node(next), .downstream, hop))
        path.append(next)
        addDownstream(of: next, rails: rails + [isLast ? .blank : .through])
        path.removeLast()
      }
    }
    fold(hidden, rails: rails + [.last], .downstream)
  }

  /// The number of levels below a node, counted breadth-first without visiting a node twice; at
  /// least 1.
  private func depth(downstreamOf node: TreeNode) -> Int {
    var levels = 0
    var level: Set<TreeNode> = [node]
    var seen = Set(path)
    while levels < Neighbourhood.deepest {
      let next = Set(level.flatMap(graph.downstreams)).subtracting(seen)
      if next.isEmpty { break }
      seen.formUnion(next)
      level = next
      levels += 1
    }
    return max(1, levels)
  }

  private mutating func fold(
    _ hidden: ArraySlice<TreeNode>,
    rails: [TreeLine.Rail],
    _ side: TreeLine.Side
  ) {
    guard !hidden.isEmpty else { return }
    let sites = Set(hidden.map(graph.site)).count
    lines.append(line(rails, .folded(count: hidden.count, sites: sites), side))
  }

  private func line(
    _ rails: [TreeLine.Rail],
    _ content: TreeLine.Content,
    _ side: TreeLine.Side,
    _ hop: String? = nil
  ) -> TreeLine {
    TreeLine(rails: rails, content: content, hop: hop, side: side)
  }
}
