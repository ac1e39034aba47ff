import GraphLayout
import Testing

@testable import layout_bench

/// What a layout keeps from the previous layout.
@Suite struct StabilityTests {
  @Test func anUnchangedGraphKeepsItsLayout() {
    for graph in Samples.all {
      let first = GraphLayout(graph)
      let second = GraphLayout(graph, after: first.memory)
      #expect(first.places == second.places && first.routes == second.routes)
    }
  }

  @Test func theSameMemoryGivesTheSameLayout() {
    for graph in Samples.all.suffix(40) {
      let memory = GraphLayout(graph).memory
      var grown = graph
      grown.nodes.append(LayoutGraph.Node(id: 5000, width: 4))
      grown.edges.append(LayoutGraph.Edge(from: 0, to: grown.nodes.count - 1))
      let first = GraphLayout(grown, after: memory)
      let second = GraphLayout(grown, after: memory)
      #expect(first.places == second.places && first.routes == second.routes)
    }
  }

  @Test func aNewConsumerLeavesTheOthersInPlace() {
    let graph = Samples.graph(8, (1..<8).map { (0, $0) })
    let before = GraphLayout(graph)
    var grown = graph
    grown.nodes.append(LayoutGraph.Node(id: 100, width: 5))
    grown.edges.append(LayoutGraph.Edge(from: 3, to: 8))
    let after = GraphLayout(grown, after: before.memory)
    #expect(after.places[8].layer == 2)
    for node in graph.nodes.indices {
      #expect(before.places[node].layer == after.places[node].layer)
      #expect(before.places[node].order == after.places[node].order)
    }
  }

  @Test func aRemovedNodeLeavesTheOthersInOrder() {
    for graph in Samples.all where graph.nodes.count > 4 {
      let before = GraphLayout(graph)
      let removed = graph.nodes.count / 2
      var smaller = graph
      smaller.nodes.remove(at: removed)
      smaller.edges = graph.edges.filter { $0.from != removed && $0.to != removed }.map {
        LayoutGraph.Edge(
          from: $0.from > removed ? $0.from - 1 : $0.from,
          to: $0.to > removed ? $0.to - 1 : $0.to
        )
      }
      let after = GraphLayout(smaller, after: before.memory)
      // A node that has lost all of its edges is moved below the graph, to other isolated nodes.
      let connected = Set(smaller.edges.flatMap { $0.from == $0.to ? [] : [$0.from, $0.to] })
      var moved = 0
      var pairs = 0
      for first in smaller.nodes.indices {
        for second in smaller.nodes.indices where first < second {
          guard connected.contains(first), connected.contains(second) else { continue }
          let (a, b) = (
            before.places[first + (first >= removed ? 1 : 0)],
            before.places[second + (second >= removed ? 1 : 0)]
          )
          let (c, d) = (after.places[first], after.places[second])
          guard a.layer == b.layer, c.layer == d.layer, a.column == b.column, c.column == d.column
          else { continue }
          pairs += 1
          moved += (a.row < b.row) == (c.row < d.row) ? 0 : 1
        }
      }
      // If the removal splits the graph, its parts may be rearranged, which swaps a few pairs.
      #expect(moved * 10 <= pairs, "\(moved) of \(pairs)")
    }
  }

  @Test func aNewEdgeMovesNodesToLaterLayersIfNecessary() {
    let graph = Samples.graph(4, [(0, 1), (2, 3), (0, 3)])
    let before = GraphLayout(graph)
    var grown = graph
    grown.edges.append(LayoutGraph.Edge(from: 1, to: 2))
    let after = GraphLayout(grown, after: before.memory)
    #expect(after.places.map(\.layer) == [0, 1, 2, 3])
  }

  @Test func fiftyAdditionsKeepCrossingsLow() {
    var random = RandomSource(seed: 11)
    for seed in 0..<4 {
      var graph = Samples.random(seed: UInt64(seed) * 5)
      var layout = GraphLayout(graph)
      for step in 0..<50 {
        graph.nodes.append(LayoutGraph.Node(id: UInt64(1000 + step), width: 6))
        for _ in 0..<(1 + random.below(2)) {
          graph.edges.append(
            LayoutGraph.Edge(from: random.below(graph.nodes.count - 1), to: graph.nodes.count - 1)
          )
        }
        layout = GraphLayout(graph, after: layout.memory)
      }
      #expect(layout.crossings <= 2 * GraphLayout(graph).crossings)
    }
  }

  @Test func aReversedEdgeStaysReversed() {
    let graph = Samples.graph(3, [(0, 1), (1, 2), (2, 0)])
    let before = GraphLayout(graph)
    var grown = graph
    grown.nodes.append(LayoutGraph.Node(id: 9, width: 3))
    grown.edges.append(LayoutGraph.Edge(from: 3, to: 1))
    let after = GraphLayout(grown, after: before.memory)
    #expect(before.routes.map(\.isReversed) == Array(after.routes.map(\.isReversed).prefix(3)))
  }
}
