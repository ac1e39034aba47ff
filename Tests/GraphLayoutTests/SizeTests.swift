import GraphLayout
import Testing

@testable import layout_bench

/// Layouts of graphs of extreme size and shape.
@Suite struct SizeTests {
  @Test func aStarOfTenThousandIsLaidOut() {
    let layout = GraphLayout(Samples.graph(10_000, (1..<10_000).map { (0, $0) }))
    #expect(layout.crossings == 0)
    #expect(layout.places.dropFirst().allSatisfy { $0.layer == 1 })
  }

  @Test func aPathOfTenThousandIsLaidOutInOneRow() {
    let layout = GraphLayout(Samples.graph(10_000, (1..<10_000).map { ($0 - 1, $0) }))
    #expect(layout.rows == 1)
    #expect(layout.places.enumerated().allSatisfy { $0.element.layer == $0.offset })
  }

  @Test func aCycleOfTenThousandReversesOneEdge() {
    let layout = GraphLayout(Samples.graph(10_000, (0..<10_000).map { ($0, ($0 + 1) % 10_000) }))
    #expect(layout.routes.filter(\.isReversed).count == 1)
  }

  @Test func tenThousandSingleNodesAreLaidOut() {
    let layout = GraphLayout(Samples.graph(10_000, []))
    #expect(layout.places.allSatisfy { $0.layer == 0 })
    #expect(
      Set(layout.places.map { GraphLayout.Point(column: $0.column, row: $0.row) }).count == 10_000
    )
  }

  @Test func aCompleteBipartiteGraphIsLaidOut() {
    let layout = GraphLayout(Samples.graph(100, (0..<2500).map { ($0 / 50, 50 + $0 % 50) }))
    #expect(Set(layout.routes.map(\.net)).count == 50)
  }

  @Test func manyRandomEdgesAreLaidOut() {
    var random = RandomSource(seed: 3)
    let edges = (0..<3_000).map { _ in (random.below(2_000), random.below(2_000)) }
    let layout = GraphLayout(Samples.graph(2_000, edges))
    #expect(layout.routes.count == 3_000)
  }

  @Test func nodesWithoutSizeCountAsOneCell() {
    let graph = LayoutGraph(
      nodes: [.init(id: 1, width: 0, height: 0), .init(id: 1, width: -3, height: -1)],
      edges: [.init(from: 0, to: 1)]
    )
    #expect(GraphLayout(graph).rows == 1)
  }
}
