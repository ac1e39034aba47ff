@testable import InspectorUI
import Testing

@Suite struct LaneGraphTests {
  private func draw(_ upstreams: [[Int]]) -> [String] {
    LaneGraph(count: upstreams.count, upstreams: upstreams, .utf8).lines.map { line in
      let lanes = String(line.lanes.reversed().drop { $0 == " " }.reversed())
      return lanes + (line.node.map { " \($0)" } ?? "")
    }
  }

  @Test func aChainIsOneLane() {
    #expect(draw([[1], [2], []]) == ["● 0", "● 1", "● 2"])
  }

  @Test func severalUpstreamsOpenLanes() {
    #expect(draw([[1, 2], [], []]) == ["● 0", "├─╮", "● │ 1", "  ● 2"])
  }

  @Test func aSharedUpstreamIsDrawnOnceBelowAllItsDownstreams() {
    #expect(draw([[2], [2], []]) == ["● 0", "│ ● 1", "├─╯", "● 2"])
  }

  @Test func aCycleIsCut() {
    #expect(draw([[1], [0]]) == ["● 0", "● 1"])
  }

  @Test func everyNodeIsOnASeparateLineBelowItsDownstreams() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let count = Int.random(in: 1...60, using: &generator)
      let upstreams = (0..<count).map { node -> [Int] in
        (0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in
          node + 1 < count ? Int.random(in: (node + 1)..<count, using: &generator) : nil
        }
      }
      let nodes = LaneGraph(count: count, upstreams: upstreams, .ascii).lines.compactMap(\.node)
      #expect(nodes.sorted() == Array(0..<count))
      var rank = [Int](repeating: 0, count: count)
      for (place, node) in nodes.enumerated() { rank[node] = place }
      for (node, upstreams) in upstreams.enumerated() {
        for upstream in upstreams { #expect(rank[upstream] > rank[node]) }
      }
    }
  }
}
