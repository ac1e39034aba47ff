import Testing

@testable import GraphLayout
@testable import layout_bench

/// The stages of the layout, each by itself.
@Suite struct StageTests {
  private func randomFlow(seed: UInt64) -> FlowGraph {
    var random = RandomSource(seed: seed)
    let count = 2 + random.below(60)
    var flow = FlowGraph(count: count, tails: [], heads: [], weights: [], isReversed: [])
    for node in 1..<count {
      // A tree keeps the graph connected; half of its edges lead from a higher to a lower number.
      let ends = random.below(2) == 0 ? (node, random.below(node)) : (random.below(node), node)
      let others = (random.below(count), random.below(count))
      for (tail, head) in [ends, others] where tail != head {
        flow.tails.append(tail)
        flow.heads.append(head)
        flow.weights.append(1 + random.below(3))
        flow.isReversed.append(false)
      }
    }
    return flow
  }

  private func length(_ flow: FlowGraph, _ layers: [Int]) -> Int {
    flow.tails.indices.reduce(0) {
      $0 + flow.weights[$1] * (layers[flow.heads[$1]] - layers[flow.tails[$1]])
    }
  }

  @Test func bothWaysOfBreakingCyclesLeaveNoCycle() {
    for seed in 0..<200 {
      var flow = randomFlow(seed: UInt64(seed))
      flow.breakCycles()
      #expect(flow.topologicalOrder().count == flow.count)
      flow = randomFlow(seed: UInt64(seed))
      flow.breakCyclesByDistance()
      #expect(flow.topologicalOrder().count == flow.count)
    }
  }

  @Test func breakingCyclesWithPreferredEdgesLeavesNoCycle() {
    for seed in 0..<100 {
      var flow = randomFlow(seed: UInt64(seed))
      flow.breakCycles(preferring: Array(flow.tails.indices.filter { $0 % 3 == 0 }))
      #expect(flow.topologicalOrder().count == flow.count)
    }
  }

  @Test func layersLeadForwardAndCannotBeImprovedByMovingOneNode() {
    for seed in 0..<100 {
      var flow = randomFlow(seed: UInt64(seed))
      flow.breakCycles()
      let layers = flow.layers(effort: 1_000_000)
      #expect(flow.tails.indices.allSatisfy { layers[flow.tails[$0]] < layers[flow.heads[$0]] })
      let best = length(flow, layers)
      for node in 0..<flow.count {
        for change in [-1, 1] {
          var other = layers
          other[node] += change
          let isFeasible = flow.tails.indices.allSatisfy {
            other[flow.tails[$0]] < other[flow.heads[$0]]
          }
          #expect(!isFeasible || length(flow, other) >= best)
        }
      }
    }
  }

  @Test func layersWithoutEffortAreStillFeasible() {
    for seed in 0..<50 {
      var flow = randomFlow(seed: UInt64(seed))
      flow.breakCycles()
      let layers = flow.layers(effort: 0)
      #expect(flow.tails.indices.allSatisfy { layers[flow.tails[$0]] < layers[flow.heads[$0]] })
    }
  }

  @Test func crossingsAreTheSameAsCountedPairByPair() {
    for seed in 0..<50 {
      var flow = randomFlow(seed: UInt64(seed))
      flow.breakCycles()
      let graph = LayeredGraph(flow, layers: flow.layers(effort: 1_000_000))
      let order = graph.startOrder(.breadth)
      var segments: [(tail: Int, head: Int, weight: Int)] = []
      for vertex in 0..<graph.vertexCount {
        for slot in graph.later.slots(vertex) {
          segments.append(
            (vertex, graph.later.neighbours[slot], graph.weights[graph.later.pairs[slot]])
          )
        }
      }
      var expected = 0
      for (index, first) in segments.enumerated() {
        for second in segments.dropFirst(index + 1)
        where graph.layers[first.tail] == graph.layers[second.tail] {
          let a = order.positions[first.tail] - order.positions[second.tail]
          let b = order.positions[first.head] - order.positions[second.head]
          if a * b < 0 { expected += first.weight * second.weight }
        }
      }
      #expect(order.crossings(of: graph) == expected)
    }
  }
}
