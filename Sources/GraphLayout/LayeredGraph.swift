/// A graph with layers, whose edges are cut into segments that connect neighbouring layers.
///
/// An edge over several layers passes through one dummy vertex in each layer in between. Edges with
/// the same left node share their dummies: together they form a net, which is one line with
/// branches. Edges that are drawn against the flow, that is, to the left, form separate nets.
struct LayeredGraph: Sendable {
  /// The edges that run together from their common left node.
  struct Net: Sendable {
    /// The node at the left end.
    var start: Int
    /// Whether the edges are drawn against the flow.
    var isReversed: Bool
    /// The dummy in the layer after the start; the dummies of the next layers follow it.
    var firstDummy: Int
    /// The number of dummies, one for each layer that the net passes through.
    var dummyCount: Int
  }

  /// The number of nodes; the vertices with higher indices are dummies.
  let nodeCount: Int
  /// The layer of each vertex.
  private(set) var layers: [Int]
  /// The number of layers.
  let layerCount: Int
  /// The nets, in order of their start.
  private(set) var nets: [Net]
  /// The net of each edge of the flow graph.
  private(set) var netOfEdge: [Int]
  /// The net of each dummy.
  private(set) var netOfDummy: [Int]
  /// The total weight of the edges that run through each segment.
  private(set) var weights: [Int]
  /// The net to which each segment belongs.
  private(set) var netOfSegment: [Int]
  /// The vertex at the right end of each segment.
  let heads: [Int]
  /// The neighbours of each vertex in the next layer; its `pairs` are the indices of segments.
  let later: Adjacency
  /// The neighbours of each vertex in the previous layer; its `pairs` are the indices of segments.
  let earlier: Adjacency

  /// Cuts the edges of a graph into segments.
  ///
  /// - Complexity: Linear in the size of the result.
  init(_ graph: FlowGraph, layers nodeLayers: [Int]) {
    nodeCount = graph.count
    layers = nodeLayers
    layerCount = (nodeLayers.max() ?? -1) + 1
    let incident = Adjacency(count: graph.count, from: graph.tails, to: graph.heads)
    nets = []
    netOfEdge = [Int](repeating: -1, count: graph.tails.count)
    netOfDummy = []
    weights = []
    netOfSegment = []
    var tails: [Int] = []
    var heads: [Int] = []
    for start in 0..<graph.count {
      for isReversed in [false, true] {
        let edges = incident.slots(start).map { incident.pairs[$0] }
          .filter { graph.isReversed[$0] == isReversed }
        guard !edges.isEmpty else { continue }
        let last = edges.reduce(0) { max($0, nodeLayers[graph.heads[$1]]) }
        let startLayer = nodeLayers[start]
        let net = Net(
          start: start,
          isReversed: isReversed,
          firstDummy: layers.count,
          dummyCount: max(0, last - startLayer - 1)
        )
        // The weight of a segment is the total weight of the edges that run through it.
        var through = [Int](repeating: 0, count: net.dummyCount + 1)
        for edge in edges {
          netOfEdge[edge] = nets.count
          let steps = nodeLayers[graph.heads[edge]] - startLayer - 1
          through[steps] += graph.weights[edge]
          tails.append(steps == 0 ? start : net.firstDummy + steps - 1)
          heads.append(graph.heads[edge])
          weights.append(graph.weights[edge])
          netOfSegment.append(nets.count)
        }
        for step in (0..<net.dummyCount).reversed() {
          through[step] += through[step + 1]
          tails.append(step == 0 ? start : net.firstDummy + step - 1)
          heads.append(net.firstDummy + step)
          weights.append(through[step + 1])
          netOfSegment.append(nets.count)
        }
        for step in 0..<net.dummyCount {
          layers.append(startLayer + 1 + step)
          netOfDummy.append(nets.count)
        }
        nets.append(net)
      }
    }
    self.heads = heads
    later = Adjacency(count: layers.count, from: tails, to: heads)
    earlier = Adjacency(count: layers.count, from: heads, to: tails)
  }

  /// The number of nodes and dummies.
  var vertexCount: Int { layers.count }

  /// Whether a vertex is not a node but stands for a line that passes through the layer.
  @inline(__always)
  func isDummy(_ vertex: Int) -> Bool { vertex >= nodeCount }

  /// The vertex of a net in a layer, which must be between the layers of the net's start and its
  /// last dummy.
  func vertex(of net: Net, inLayer layer: Int) -> Int {
    let step = layer - layers[net.start]
    return step == 0 ? net.start : net.firstDummy + step - 1
  }
}
