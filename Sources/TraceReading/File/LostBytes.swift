/// What of the tables reads as zeros where a writer has left something (TraceFormat §11): it was lost, and is not to be
/// taken for what was never used.
///
/// An entry that is in use is never all zeros, and what stands next to lost ones may be lost in part.
struct LostBytes: Sendable, Equatable {
  /// Stretches of the file, in order.
  private(set) var stretches: [Range<Int>] = []

  init() {}

  /// Whether any byte of a range is lost.
  func touches(_ range: Range<Int>) -> Bool {
    guard !stretches.isEmpty else { return false }
    let place = stretches.prefixCount { $0.upperBound <= range.lowerBound }
    return place < stretches.count && stretches[place].lowerBound < range.upperBound
  }

  /// Whether any byte of a row is lost; not of a row 0 that stands for nothing.
  func touches(_ row: Int, of region: TraceRegion?) -> Bool {
    guard !stretches.isEmpty, let region, row < region.readable,
      row > 0 || !region.kind.beginsWithNothing
    else { return false }
    let start = region.offset(ofRow: row)
    return touches(start..<(start + Int(region.entrySize)))
  }

  /// Where the lost bytes end that a place is among; nil if it is not lost.
  func end(from place: Int) -> Int? {
    stretches.first { $0.contains(place) }?.upperBound
  }

  // MARK: Finding

  /// What is lost of the tables of a file.
  init(_ tables: TableReader) {
    var found: [Range<Int>] = []
    for kind in RegionKind.allCases {
      guard let region = tables.header.regions[kind], let shortest = kind.longestZeros else {
        continue
      }
      let entry = kind.knownEntrySize == 1 ? Layout.StringHeap.unit : Int(region.entrySize)
      // A scheduler whose name found no room is all zeros until it does something.
      if kind == .schedulers, tables.header.lost[.strings] != nil { continue }
      // The first entry stands for nothing; in a recording that did not end in order, the last slots may be those that its
      // threads were about to fill.
      let first = region.start + (kind.beginsWithNothing ? entry : 0)
      var used = min(region.readable, Int(clamping: region.used))
      if kind == .slab, tables.header.state != .stopped {
        used -= max(1, min(64, Int(clamping: tables.header.regions[.threads]?.used ?? 0)))
      }
      let end = region.start + max(0, used) * Int(region.entrySize)
      guard first < end else { continue }
      tables.file.forEachZeros(in: first..<end, longerThan: shortest) { zeros in
        found.append(tables.file.allZeros(around: zeros))
      }
    }
    found.sort { $0.lowerBound < $1.lowerBound }
    for range in found {
      if let last = stretches.last, last.upperBound >= range.lowerBound {
        let end = max(last.upperBound, range.upperBound)
        stretches[stretches.count - 1] = last.lowerBound..<end
      } else {
        stretches.append(range)
      }
    }
  }
}

extension RegionKind {
  /// The most bytes of zeros one after the other that a writer leaves in what is in use; nil where there may be any
  /// number.
  fileprivate var longestZeros: Int? {
    switch self {
    case .segments, .tail, .markCounts: nil
    case .stacks: Layout.StackHeap.unit
    case .strings: Layout.StringHeap.bytes + Layout.StringHeap.limit
    default: leastEntrySize - 1
    }
  }

  /// Whether the first entry stands for nothing, and is all zeros.
  var beginsWithNothing: Bool { ![.images, .marks, .symbols].contains(self) }
}

extension TraceFile {
  /// Bytes that are looked at at once.
  private static var pieceSize: Int { 1 << 16 }

  /// Calls `body` with each run of words that are zero in a range, if it is longer than so many bytes; holes are zeros.
  fileprivate func forEachZeros(
    in range: Range<Int>,
    longerThan shortest: Int,
    _ body: (Range<Int>) -> Void
  ) {
    var start = range.lowerBound
    func end(_ place: Int) {
      if place - start > shortest { body(start..<place) }
    }
    forEachStretch(in: range) { stretch in
      var place = stretch.lowerBound
      while place < stretch.upperBound {
        let count = min(Self.pieceSize, stretch.upperBound - place)
        let bytes = self.bytes(at: place, count: count)
        bytes.withUnsafeBytes { bytes in
          for index in stride(from: 0, to: bytes.count - 7, by: 8)
          where bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) != 0 {
            end(place + index)
            start = place + index + 8
          }
        }
        // What lies behind the end of the file is missing, not lost.
        guard bytes.count == count else { return false }
        place += count
      }
      return true
    }
    if range.upperBound <= byteCount { end(range.upperBound) }
  }

  /// A run of zeros with those next to it, a segment's worth at either end at most.
  fileprivate func allZeros(around zeros: Range<Int>) -> Range<Int> {
    let count = min(zeros.lowerBound, Self.pieceSize)
    let before = bytes(at: zeros.lowerBound - count, count: count)
    let behind = bytes(at: zeros.upperBound, count: Self.pieceSize)
    let start = zeros.lowerBound - (before.count - 1 - (before.lastIndex { $0 != 0 } ?? -1))
    let end = zeros.upperBound + (behind.firstIndex { $0 != 0 } ?? behind.count)
    // Numbers are small: zeros at the end of a word are part of it.
    return (start + 7) / 8 * 8..<end
  }
}
