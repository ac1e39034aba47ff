/// Assigns vertical tracks to the nets that cross the channel between two layers.
///
/// A net leaves one row on the left and reaches rows on the right. If one net leaves on a row on
/// which another arrives, the first must turn off that row before the second arrives. Such
/// requirements may form cycles. Then a net of the cycle takes two tracks, connected on a free row.
struct TrackAssignment {
  /// The vertices that a net connects across the channel.
  struct Crossing {
    /// The vertex on the left that the net leaves.
    var start: Int
    /// The vertices on the right that the net reaches.
    var ends: [Int]
  }

  /// The path of a net from its row on the left to its rows on the right.
  struct Path {
    /// The track to which the net turns first; -1 if it runs straight.
    var track: Int
    /// The row on which the net changes to another track, and that track; nil if it has one track.
    var bend: (row: Int, track: Int)?
  }

  /// The path of each net.
  private(set) var paths: [Path]
  /// The number of tracks.
  private(set) var trackCount = 0

  /// A vertical piece of a net's line.
  private struct Piece {
    var first: Int
    var last: Int
    /// The rows on the right, from the uppermost to the lowest.
    var ends: ClosedRange<Int>
    var isDescending: Bool
    /// The row on the left at which the piece begins.
    var start: Int
    var successors: [Int] = []
    var predecessors: [Int] = []
    var open = 0
    var track = -1
    /// The other piece of a net with two tracks, which begins on the left and takes over the
    /// successors of this piece; -1 if there is none.
    var head = -1
    var bendRow = 0
    var visit = 0
  }

  private var pieces: [Piece] = []
  private var usedRows: [Bool] = []
  private var rowOffset = 0

  /// Assigns tracks.
  ///
  /// - Parameters:
  ///   - crossings: The nets.
  ///   - rows: The row of each vertex.
  ///   - keepsOrder: Whether nets in the same direction keep their order while they run side by
  ///     side, which avoids unnecessary crossings but may need more tracks.
  /// - Complexity: O(n log n) for n nets if there are many, and quadratic if there are few, because
  ///   few nets get a more thorough search for free tracks.
  init(crossings: [Crossing], rows: [Int], keepsOrder: Bool) {
    paths = [Path](repeating: Path(track: -1, bend: nil), count: crossings.count)
    var pieceOfNet = [Int](repeating: -1, count: crossings.count)
    for (net, crossing) in crossings.enumerated() {
      let start = rows[crossing.start]
      let ends = crossing.ends.map { rows[$0] }.filter { $0 != start }
      guard let least = ends.min(), let most = ends.max() else { continue }
      pieceOfNet[net] = pieces.count
      pieces.append(
        Piece(
          first: min(least, start),
          last: max(most, start),
          ends: least...most,
          isDescending: most + least > 2 * start || (most + least == 2 * start && most > start),
          start: start
        )
      )
    }
    guard !pieces.isEmpty else { return }
    addDemands(crossings, rows: rows, pieceOfNet: pieceOfNet)
    place(keepsOrder: keepsOrder)
    for (net, piece) in pieceOfNet.enumerated() where piece >= 0 {
      let body = pieces[piece]
      if body.head >= 0 {
        paths[net] = Path(track: pieces[body.head].track, bend: (body.bendRow, body.track))
      } else {
        paths[net] = Path(track: body.track, bend: nil)
      }
      if let bend = paths[net].bend { trackCount = max(trackCount, bend.track + 1) }
      trackCount = max(trackCount, paths[net].track + 1)
    }
  }

  /// Records for each net which other nets must turn off before it arrives.
  private mutating func addDemands(_ crossings: [Crossing], rows: [Int], pieceOfNet: [Int]) {
    let least = crossings.reduce(Int.max) { least, crossing in
      crossing.ends.reduce(min(least, rows[crossing.start])) { min($0, rows[$1]) }
    }
    let most = crossings.reduce(Int.min) { most, crossing in
      crossing.ends.reduce(max(most, rows[crossing.start])) { max($0, rows[$1]) }
    }
    rowOffset = crossings.count + 1 - least
    usedRows = [Bool](repeating: false, count: most - least + 2 * crossings.count + 3)
    var leaving = [[Int]](repeating: [], count: usedRows.count)
    for (net, crossing) in crossings.enumerated() {
      leaving[rows[crossing.start] + rowOffset].append(net)
      usedRows[rows[crossing.start] + rowOffset] = true
      for end in crossing.ends { usedRows[rows[end] + rowOffset] = true }
    }
    for (net, crossing) in crossings.enumerated() where pieceOfNet[net] >= 0 {
      for end in crossing.ends where rows[end] != rows[crossing.start] {
        for other in leaving[rows[end] + rowOffset] where other != net {
          // A net that only runs straight into the same node may be joined anywhere. A net that
          // also turns off must do so first, or else the arriving net would seem to turn off, too.
          let (first, second) = (pieceOfNet[other], pieceOfNet[net])
          guard first >= 0 else { continue }
          pieces[first].successors.append(second)
          pieces[second].predecessors.append(first)
          pieces[second].open += 1
        }
      }
    }
  }

  /// Assigns tracks to pieces one after the other, each as far left as possible.
  private mutating func place(keepsOrder: Bool) {
    var ready = MinimumHeap()
    var remaining = pieces.count
    var occupancy = TrackOccupancy(
      rowOffset: rowOffset,
      rowCount: usedRows.count,
      pieceCount: pieces.count
    )
    for piece in pieces.indices where pieces[piece].open == 0 {
      ready.insert(piece, key: priority(piece, keepsOrder: keepsOrder))
    }
    var unplaced = 0
    while remaining > 0 {
      guard let piece = ready.removeFirst()?.value else {
        while pieces[unplaced].track >= 0 { unplaced += 1 }
        let head = split(circleMember(from: unplaced))
        remaining += 1
        ready.insert(head, key: priority(head, keepsOrder: keepsOrder))
        continue
      }
      let least = pieces[piece].predecessors.reduce(0) { least, other in
        let before = pieces[other].head >= 0 ? pieces[other].head : other
        return max(least, pieces[before].track + 1)
      }
      let ownHead = pieces[piece].head >= 0 ? pieces[pieces[piece].head].track + 1 : 0
      pieces[piece].track = occupancy.occupy(
        pieces[piece].first,
        pieces[piece].last,
        isDescending: pieces[piece].isDescending,
        atLeast: max(least, ownHead),
        keepsOrder: keepsOrder
      )
      remaining -= 1
      for other in pieces[piece].successors {
        pieces[other].open -= 1
        if pieces[other].open == 0 {
          ready.insert(other, key: priority(other, keepsOrder: keepsOrder))
        }
      }
    }
  }

  /// The key by which pieces are placed, the least first.
  ///
  /// With `keepsOrder`, ascending pieces come first, from the top row down, and then descending
  /// ones from the bottom row up. Otherwise all pieces come from the top row down.
  private func priority(_ piece: Int, keepsOrder: Bool) -> Int {
    guard keepsOrder else { return pieces[piece].first }
    let row = pieces[piece].start + rowOffset
    return pieces[piece].isDescending ? 2 * usedRows.count - row : row
  }

  /// A piece of a cycle of pieces that wait for one another, found by following predecessors.
  private mutating func circleMember(from start: Int) -> Int {
    var piece = start
    while pieces[piece].visit != pieces.count {
      // The number of pieces identifies this search, because the number grows after each search,
      // when the piece that was found is split.
      pieces[piece].visit = pieces.count
      let waitedFor = pieces[piece].predecessors.first {
        pieces[$0].track < 0 && pieces[$0].head < 0
      }
      guard let waitedFor else { break }
      piece = waitedFor
    }
    return piece
  }

  /// Divides a piece in two, so that its net takes two tracks, and returns the new piece.
  ///
  /// The new piece begins on the left and waits for no other piece.
  private mutating func split(_ piece: Int) -> Int {
    let row = freeRow(near: (pieces[piece].first + pieces[piece].last) / 2)
    let start = pieces[piece].start
    let head = pieces.count
    pieces.append(
      Piece(
        first: min(start, row),
        last: max(start, row),
        ends: row...row,
        isDescending: row > start,
        start: start,
        successors: pieces[piece].successors + [piece]
      )
    )
    pieces[piece].successors = []
    pieces[piece].head = head
    pieces[piece].bendRow = row
    pieces[piece].open += 1
    pieces[piece].first = min(pieces[piece].ends.lowerBound, row)
    pieces[piece].last = max(pieces[piece].ends.upperBound, row)
    return head
  }

  /// The nearest row on which no net begins, ends or bends, which is then marked as used.
  private mutating func freeRow(near row: Int) -> Int {
    let center = row + rowOffset
    for distance in 0..<usedRows.count {
      for index in [center - distance, center + distance]
      where usedRows.indices.contains(index) && !usedRows[index] {
        usedRows[index] = true
        return index - rowOffset
      }
    }
    return row
  }
}
