/// The finished layout of one part, with its upper left corner at the origin.
struct PartLayout: Sendable {
  /// The places of the nodes of the part.
  private(set) var places: [GraphLayout.Place] = []
  /// The corners of each edge of the flow graph.
  private(set) var points: [[GraphLayout.Point]] = []
  /// The net of each edge of the flow graph: a line with branches, which edges with the same left
  /// node share.
  private(set) var nets: [Int] = []
  /// Whether each edge of the flow graph is drawn against the flow, that is, to the left.
  private(set) var isReversed: [Bool] = []
  /// The number of nets.
  private(set) var netCount = 0
  /// The number of columns.
  private(set) var columns = 0
  /// The number of rows.
  private(set) var rows = 0
  /// The number of crossings of lines between neighbouring layers.
  private(set) var crossings = 0
  /// The row of each passage, which is a layer through which a net passes.
  private(set) var passages: [(passage: GraphLayout.Memory.Passage, row: Int)] = []

  /// Lays out a part.
  init(
    _ part: Part,
    nodes: [LayoutGraph.Node],
    memory: GraphLayout.Memory,
    options: GraphLayout.Options
  ) {
    let (flow, drawing) = PartDrawer(
      part: part,
      sizes: part.nodes.map { nodes[$0] },
      memory: memory,
      options: options
    ).draw()
    let sizes = part.nodes.map { nodes[$0] }
    let graph = drawing.graph
    let routing = ChannelRouting(
      graph: graph,
      order: drawing.order,
      rows: drawing.rows,
      width: options.usableChannel
    )
    // Lines may bend above the first node.
    let top = min(0, routing.bendRows?.least ?? 0)
    let rowOfVertex = drawing.rows.map { $0 - top }

    var widths = [Int](repeating: 1, count: graph.layerCount)
    for (node, size) in sizes.enumerated() {
      widths[graph.layers[node]] = max(widths[graph.layers[node]], size.width)
    }
    var layerColumns: [Int] = []
    for (layer, width) in widths.enumerated() {
      layerColumns.append(columns)
      columns += width
      if layer < routing.channels.count { columns += routing.channels[layer].width }
    }
    var orderInLayer = [Int](repeating: 0, count: graph.nodeCount)
    for layer in drawing.order.layers {
      for (order, node) in layer.filter({ !graph.isDummy($0) }).enumerated() {
        orderInLayer[node] = order
      }
    }
    rows = (routing.bendRows?.most ?? 0) - top + 1
    for (node, size) in sizes.enumerated() {
      let layer = graph.layers[node]
      let row = rowOfVertex[node] - max(1, size.height) / 2
      places.append(
        GraphLayout.Place(
          layer: layer,
          order: orderInLayer[node],
          column: layerColumns[layer],
          row: row
        )
      )
      rows = max(rows, row + max(1, size.height))
    }
    for dummy in graph.nodeCount..<graph.vertexCount {
      rows = max(rows, rowOfVertex[dummy] + 1)
      let net = graph.nets[graph.netOfDummy[dummy - graph.nodeCount]]
      passages.append(
        (
          GraphLayout.Memory.Passage(
            start: sizes[net.start].id,
            isReversed: net.isReversed,
            step: dummy - net.firstDummy
          ), rowOfVertex[dummy]
        )
      )
    }

    nets = graph.netOfEdge
    netCount = graph.nets.count
    isReversed = flow.isReversed
    crossings = drawing.order.crossings(of: graph, isWeighted: false)
    for edge in flow.tails.indices {
      let net = graph.nets[nets[edge]]
      let head = flow.heads[edge]
      let first = graph.layers[net.start]
      let last = graph.layers[head]
      var corners = [
        GraphLayout.Point(
          column: layerColumns[first] + max(1, sizes[net.start].width),
          row: rowOfVertex[net.start]
        )
      ]
      for layer in first..<last {
        let from = graph.vertex(of: net, inLayer: layer)
        let to = layer + 1 == last ? head : graph.vertex(of: net, inLayer: layer + 1)
        routing.appendCorners(
          to: &corners,
          net: nets[edge],
          channel: layer,
          startColumn: layerColumns[layer] + widths[layer],
          from: drawing.rows[from],
          to: drawing.rows[to],
          shiftedBy: -top
        )
      }
      corners.append(GraphLayout.Point(column: layerColumns[last] - 1, row: rowOfVertex[head]))
      points.append(corners)
    }
  }
}

extension GraphLayout.Options {
  /// The width of a channel, with room for an arrowhead on each side.
  var usableChannel: ClosedRange<Int> {
    let least = max(2, channel.lowerBound)
    return least...max(least, channel.upperBound)
  }
}
