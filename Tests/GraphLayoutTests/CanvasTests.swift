import GraphLayout
import Testing

/// The characters with which `EdgeCanvas` draws the edges of a graph.
@Suite struct CanvasTests {
  /// The drawing of a graph, with nodes drawn as `#`.
  private func drawing(_ graph: LayoutGraph, ascii: Bool) -> [String] {
    let layout = GraphLayout(graph)
    let canvas = EdgeCanvas(layout)
    var lines = (0..<layout.rows).map { row in
      (0..<layout.columns).map { canvas[column: $0, row: row].character(ascii: ascii) }
    }
    for (node, place) in zip(graph.nodes, layout.places) {
      for row in place.row..<(place.row + node.height) {
        for column in place.column..<(place.column + node.width) { lines[row][column] = "#" }
      }
    }
    return lines.map { String($0) }
  }

  private func graph(_ count: Int, _ edges: [(Int, Int)]) -> LayoutGraph {
    LayoutGraph(
      nodes: (0..<count).map { LayoutGraph.Node(id: UInt64($0), width: 1) },
      edges: edges.map { LayoutGraph.Edge(from: $0.0, to: $0.1) }
    )
  }

  @Test func aFanOutIsATrunkWithBranches() {
    #expect(
      drawing(graph(4, [(0, 1), (0, 2), (0, 3)]), ascii: false) == [
        "  ╭─▶#",
        "#─┼─▶#",
        "  ╰─▶#",
      ]
    )
  }

  @Test func asciiUsesNoBoxCharacters() {
    #expect(
      drawing(graph(4, [(0, 1), (0, 2), (0, 3)]), ascii: true) == [
        "  +->#",
        "#-+->#",
        "  +->#",
      ]
    )
  }

  @Test func anEdgeAgainstTheFlowHasItsHeadAtTheLeft() {
    let lines = drawing(graph(2, [(0, 1), (1, 0)]), ascii: false)
    #expect(lines.joined().contains("#◀"))
    #expect(lines.joined().contains("▶#"))
  }

  @Test func linesThatCrossAreNotJoined() {
    for graph in Samples.all {
      let layout = GraphLayout(graph)
      let canvas = EdgeCanvas(layout)
      for row in 0..<layout.rows {
        for column in 0..<layout.columns {
          let cell = canvas[column: column, row: row]
          guard cell.isCrossing else { continue }
          #expect(cell.character(ascii: false) == "│")
          #expect(cell.horizontalNet != cell.verticalNet)
        }
      }
    }
  }

  @Test func everyLineContinuesInTheNextCell() {
    for graph in Samples.all {
      let layout = GraphLayout(graph)
      let canvas = EdgeCanvas(layout)
      for row in 0..<layout.rows {
        for column in 0..<layout.columns {
          let directions = canvas[column: column, row: row].directions
          if directions.contains(.down) {
            #expect(canvas[column: column, row: row + 1].directions.contains(.up))
          }
          if directions.contains(.up) {
            #expect(canvas[column: column, row: row - 1].directions.contains(.down))
          }
        }
      }
    }
  }

  @Test func aWindowShowsTheSameCellsAsTheWhole() {
    for graph in Samples.all.suffix(30) {
      let layout = GraphLayout(graph)
      let whole = EdgeCanvas(layout)
      let window = EdgeCanvas(layout, columns: 3..<17, rows: 1..<4)
      for row in 1..<4 {
        for column in 3..<17 {
          #expect(window[column: column, row: row] == whole[column: column, row: row])
        }
      }
    }
  }
}
