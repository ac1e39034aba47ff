/// The channels between the layers of one connected part of the graph, and the vertical tracks on
/// which nets run through them.
///
/// A net is one line with branches (``LayeredGraph``).
struct ChannelRouting {
  /// A channel between two neighbouring layers.
  struct Channel {
    /// The paths in the channel, by net.
    var paths: [Int: TrackAssignment.Path]
    /// The number of columns.
    var width: Int
    /// The column of the first track, counted from the start of the channel.
    var firstTrack: Int
  }

  /// The channels, from left to right.
  private(set) var channels: [Channel] = []
  /// The uppermost and the lowest row on which a net changes to another track; nil if no net does.
  private(set) var bendRows: (least: Int, most: Int)?

  /// Routes all nets.
  ///
  /// Lines keep their order if that fits into the allowed width. Otherwise tracks are filled as
  /// tightly as possible, and if even that does not fit, the channel becomes wider.
  init(graph: LayeredGraph, order: LayerOrder, rows: [Int], width: ClosedRange<Int>) {
    var crossings = [[TrackAssignment.Crossing]](repeating: [], count: max(0, graph.layerCount - 1))
    var nets = [[Int]](repeating: [], count: crossings.count)
    // The segments that start at a vertex may belong to two nets, so ends are collected by net.
    var slotsOfNet = [[Int]](repeating: [], count: graph.nets.count)
    for segment in graph.weights.indices { slotsOfNet[graph.netOfSegment[segment]].append(segment) }
    for (index, net) in graph.nets.enumerated() {
      let layer = graph.layers[net.start]
      var ends = [[Int]](repeating: [], count: net.dummyCount + 1)
      for segment in slotsOfNet[index] {
        let end = graph.heads[segment]
        ends[graph.layers[end] - layer - 1].append(end)
      }
      for step in 0...net.dummyCount where !ends[step].isEmpty {
        crossings[layer + step].append(
          TrackAssignment.Crossing(
            start: graph.vertex(of: net, inLayer: layer + step),
            ends: ends[step]
          )
        )
        nets[layer + step].append(index)
      }
    }
    for (layer, crossings) in crossings.enumerated() {
      // One column on each side is reserved for arrowheads.
      let most = width.upperBound - 2
      var tracks = TrackAssignment(crossings: crossings, rows: rows, keepsOrder: true)
      if tracks.trackCount > most {
        let tight = TrackAssignment(crossings: crossings, rows: rows, keepsOrder: false)
        if tight.trackCount < tracks.trackCount { tracks = tight }
      }
      let columns = max(width.lowerBound, tracks.trackCount + 2)
      var paths = [Int: TrackAssignment.Path](minimumCapacity: crossings.count)
      for (path, net) in zip(tracks.paths, nets[layer]) {
        paths[net] = path
        guard let bend = path.bend else { continue }
        bendRows = (
          min(bendRows?.least ?? bend.row, bend.row), max(bendRows?.most ?? bend.row, bend.row)
        )
      }
      channels.append(
        Channel(paths: paths, width: columns, firstTrack: 1 + (columns - 2 - tracks.trackCount) / 2)
      )
    }
  }

  /// Appends the corners of a net on its way through a channel from one row to another.
  func appendCorners(
    to points: inout [GraphLayout.Point],
    net: Int,
    channel: Int,
    startColumn: Int,
    from start: Int,
    to end: Int,
    shiftedBy shift: Int
  ) {
    guard start != end, let path = channels[channel].paths[net] else { return }
    let base = startColumn + channels[channel].firstTrack
    points.append(GraphLayout.Point(column: base + path.track, row: start + shift))
    if let bend = path.bend {
      points.append(GraphLayout.Point(column: base + path.track, row: bend.row + shift))
      points.append(GraphLayout.Point(column: base + bend.track, row: bend.row + shift))
      points.append(GraphLayout.Point(column: base + bend.track, row: end + shift))
    } else {
      points.append(GraphLayout.Point(column: base + path.track, row: end + shift))
    }
  }
}
