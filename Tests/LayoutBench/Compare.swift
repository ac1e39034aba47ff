import GraphLayout

/// Compares the number of crossings with that of Graphviz.
func compare(seed: UInt64, count: Int) throws {
  var source = RandomGraphs(seed: seed)
  let kinds = (0..<count).map { GraphKind.allCases[$0 % GraphKind.allCases.count] }
  let graphs = kinds.map { source.graph($0) }
  let reference = try Graphviz.centers(of: graphs)
  var sums: [GraphKind: (ours: Int, touching: Int, theirs: Int, theirTouching: Int)] = [:]
  var rows: [(index: Int, ours: Int, theirs: Int)] = []
  var height = 0
  var layered = 0
  var spent = 0.0
  for index in graphs.indices {
    let start = processorTime()
    let layout = GraphLayout(graphs[index])
    spent += processorTime() - start
    let ours = straightCrossings(graphs[index], layout: layout)
    let theirs = straightCrossings(graphs[index], centers: reference[index])
    var sum = sums[kinds[index]] ?? (0, 0, 0, 0)
    sum.ours += ours.proper
    sum.touching += ours.touching
    sum.theirs += theirs.proper
    sum.theirTouching += theirs.touching
    sums[kinds[index]] = sum
    rows.append((index, ours.proper + ours.touching, theirs.proper + theirs.touching))
    height += layout.rows
    layered += layout.crossings
  }
  print("kind        ours (+touching)   Graphviz (+touching)   ratio")
  var total = (ours: 0, touching: 0, theirs: 0, theirTouching: 0)
  func line(_ name: String, _ sum: (ours: Int, touching: Int, theirs: Int, theirTouching: Int)) {
    let ratio = Double(sum.ours + sum.touching) / Double(max(1, sum.theirs + sum.theirTouching))
    print(
      name + padded(sum.ours, 16 - name.count) + " (+\(sum.touching))"
        + padded(sum.theirs, 14) + " (+\(sum.theirTouching))" + padded(text(ratio), 12)
    )
  }
  for kind in GraphKind.allCases {
    guard let sum = sums[kind] else { continue }
    line(kind.rawValue, sum)
    total = (
      total.ours + sum.ours, total.touching + sum.touching, total.theirs + sum.theirs,
      total.theirTouching + sum.theirTouching
    )
  }
  line("all", total)
  print(
    "rows in total: \(height), crossings of lines between layers: \(layered), "
      + "mean time: \(text(spent / Double(max(1, count)))) ms"
  )
  print("worst graphs, with touching ones (index, kind, nodes, edges, ours, Graphviz):")
  for row in rows.sorted(by: { $0.ours - $0.theirs > $1.ours - $1.theirs }).prefix(8) {
    let graph = graphs[row.index]
    print(
      padded(row.index, 5),
      kinds[row.index],
      graph.nodes.count,
      graph.edges.count,
      row.ours,
      row.theirs
    )
  }
}
