/// The rows that are occupied on each vertical track of a channel, which is the space between two
/// neighbouring layers.
struct TrackOccupancy {
  /// If a channel has more pieces (vertical parts of lines) than this, gaps between occupied rows
  /// are not used.
  private static let exactLimit = 400

  private var placed: [(first: Int, last: Int, isDescending: Bool, track: Int)] = []
  private var skyline: RangeMaximum?
  private let rowOffset: Int

  /// Creates tracks without any pieces.
  init(rowOffset: Int, rowCount: Int, pieceCount: Int) {
    self.rowOffset = rowOffset
    if pieceCount > Self.exactLimit { skyline = RangeMaximum(count: rowCount) }
  }

  /// Finds a track for a piece, and occupies the rows of the piece on that track.
  ///
  /// A piece is a vertical part of a line, from the row `first` to the row `last`.
  ///
  /// In channels with many pieces, a piece is always placed to the right of all others on its rows,
  /// because that is fast. In other channels, `keepsOrder` requires only that the piece is to the
  /// right of overlapping pieces in the same direction.
  ///
  /// `least` is the first permitted track.
  mutating func occupy(
    _ first: Int,
    _ last: Int,
    isDescending: Bool,
    atLeast least: Int,
    keepsOrder: Bool
  ) -> Int {
    if skyline != nil {
      let rows = (first + rowOffset)...(last + rowOffset)
      let track = max(least, (skyline?.maximum(rows) ?? 0))
      skyline?.raise(rows, to: track + 1)
      return track
    }
    var track = least
    var overlapping: [Int] = []
    for piece in placed where piece.first <= last && first <= piece.last {
      overlapping.append(piece.track)
      if keepsOrder, piece.isDescending == isDescending { track = max(track, piece.track + 1) }
    }
    overlapping.sort()
    for taken in overlapping where taken == track { track += 1 }
    placed.append((first, last, isDescending, track))
    return track
  }
}

/// A segment tree that finds the greatest number of a range and raises all numbers of a range, both
/// in logarithmic time.
struct RangeMaximum {
  private var greatest: [Int]
  private var raised: [Int]
  private let size: Int

  /// Creates a sequence of zeros.
  init(count: Int) {
    var size = 1
    while size < count { size *= 2 }
    self.size = size
    greatest = [Int](repeating: 0, count: 2 * size)
    raised = greatest
  }

  /// The greatest number in a range.
  func maximum(_ range: ClosedRange<Int>) -> Int {
    maximum(range, node: 1, first: 0, last: size - 1)
  }

  /// Sets all numbers of a range to a value that is not less than the greatest of them.
  mutating func raise(_ range: ClosedRange<Int>, to value: Int) {
    raise(range, to: value, node: 1, first: 0, last: size - 1)
  }

  private func maximum(_ range: ClosedRange<Int>, node: Int, first: Int, last: Int) -> Int {
    if range.lowerBound <= first, last <= range.upperBound { return greatest[node] }
    guard first <= range.upperBound, range.lowerBound <= last, first < last else { return 0 }
    let middle = (first + last) / 2
    let below = max(
      maximum(range, node: 2 * node, first: first, last: middle),
      maximum(range, node: 2 * node + 1, first: middle + 1, last: last)
    )
    return max(raised[node], below)
  }

  private mutating func raise(
    _ range: ClosedRange<Int>,
    to value: Int,
    node: Int,
    first: Int,
    last: Int
  ) {
    guard first <= range.upperBound, range.lowerBound <= last else { return }
    greatest[node] = max(greatest[node], value)
    if range.lowerBound <= first, last <= range.upperBound {
      raised[node] = max(raised[node], value)
      return
    }
    let middle = (first + last) / 2
    raise(range, to: value, node: 2 * node, first: first, last: middle)
    raise(range, to: value, node: 2 * node + 1, first: middle + 1, last: last)
  }
}
