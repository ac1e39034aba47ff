import Foundation
import GraphLayout

/// The processor time of this process in milliseconds.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
}

/// Prints the median time of layouts of several sizes.
func time(seed: UInt64) {
  var source = RandomGraphs(seed: seed)
  let star = LayoutGraph(
    nodes: (0..<10_000).map { LayoutGraph.Node(id: UInt64($0), width: 10) },
    edges: (1..<10_000).map { LayoutGraph.Edge(from: 0, to: $0) }
  )
  let path = LayoutGraph(
    nodes: star.nodes,
    edges: (1..<10_000).map { LayoutGraph.Edge(from: $0 - 1, to: $0) }
  )
  let bipartite = LayoutGraph(
    nodes: Array(star.nodes.prefix(100)),
    edges: (0..<2500).map { LayoutGraph.Edge(from: $0 / 50, to: 50 + $0 % 50) }
  )
  let cases: [(String, [LayoutGraph])] = [
    ("100 nodes, 150 edges", (0..<9).map { _ in source.acyclic(count: 100, edges: 150) }),
    ("300 nodes, 600 edges", (0..<15).map { _ in source.acyclic(count: 300, edges: 600) }),
    ("300 nodes in stages", (0..<15).map { _ in source.pipeline(count: 300) }),
    ("1000 nodes, 1500 edges", (0..<5).map { _ in source.acyclic(count: 1000, edges: 1500) }),
    ("3000 nodes, 4500 edges", (0..<3).map { _ in source.acyclic(count: 3000, edges: 4500) }),
    ("10000 nodes, 15000 edges", (0..<3).map { _ in source.acyclic(count: 10_000, edges: 15_000) }),
    ("10000 nodes in stages", (0..<3).map { _ in source.pipeline(count: 10_000) }),
    (
      "10000 nodes, random cycles",
      [
        LayoutGraph(
          nodes: star.nodes,
          edges: (0..<15_000).map { _ in
            LayoutGraph.Edge(from: source.number(below: 10_000), to: source.number(below: 10_000))
          }
        )
      ]
    ),
    (
      "path of 10000 with shortcuts",
      [
        LayoutGraph(
          nodes: star.nodes,
          edges: path.edges
            + (0..<5000).map { _ in
              let first = source.number(below: 9_000)
              return LayoutGraph.Edge(
                from: first,
                to: first + 2 + source.number(below: 9_998 - first)
              )
            }
        )
      ]
    ),
    ("star of 10000", [star]), ("path of 10000", [path]), ("bipartite 50 by 50", [bipartite]),
    ("10000 single nodes", [LayoutGraph(nodes: star.nodes)]),
  ]
  print("median milliseconds on a processor (on the clock)")
  let clock = ContinuousClock()
  for (name, graphs) in cases {
    var fresh: [Double] = []
    var freshOnClock: [Double] = []
    var again: [Double] = []
    var omitted = 0
    for graph in graphs {
      var memory = GraphLayout.Memory()
      let start = processorTime()
      freshOnClock.append(clock.measure { memory = GraphLayout(graph).memory } / .milliseconds(1))
      fresh.append(processorTime() - start)
      omitted += zip(graph.edges, GraphLayout(graph).routes).count {
        $0.from != $0.to && $1.points.isEmpty
      }
      var grown = graph
      grown.nodes.append(LayoutGraph.Node(id: 1_000_000, width: 10))
      grown.edges.append(LayoutGraph.Edge(from: 0, to: grown.nodes.count - 1))
      let restart = processorTime()
      _ = GraphLayout(grown, after: memory).rows
      again.append(processorTime() - restart)
    }
    print(
      name + padded(text(median(fresh)), 36 - name.count) + " (\(text(median(freshOnClock))))"
        + "   with one more node" + padded(text(median(again)), 10)
        + (omitted > 0 ? "   \(omitted) edges not drawn" : "")
    )
  }
}
