/// The lost bytes of the tables: bytes that are zero although a writer wrote something there
/// (TraceFormat §11).
///
/// They must not be mistaken for space that was never used. They can be recognised because an entry
/// in use is never all zeros. An entry next to a lost one may be partly lost.
struct LostBytes: Sendable, Equatable {
  /// Ranges of the file, in ascending order.
  private(set) var stretches: [Range<Int>] = []

  init() {}

  /// Whether any byte of a range is lost.
  func touches(_ range: Range<Int>) -> Bool {
    guard !stretches.isEmpty else { return false }
    let place = stretches.prefixCount { $0.upperBound <= range.lowerBound }
    return place < stretches.count && stretches[place].lowerBound < range.upperBound
  }

  /// Whether any byte of a row is lost.
  ///
  /// A reserved row 0, which is all zeros, does not count as lost.
  func touches(_ row: Int, of region: TraceRegion?) -> Bool {
    guard !stretches.isEmpty, let region, row < region.readable,
      row > 0 || !region.kind.beginsWithNothing
    else { return false }
    let start = region.offset(ofRow: row)
    return touches(start..<(start + Int(region.entrySize)))
  }

  /// The end of the lost range that contains an offset; nil if the byte there is not lost.
  func end(from place: Int) -> Int? {
    let next = stretches.prefixCount { $0.upperBound <= place }
    guard next < stretches.count, stretches[next].contains(place) else { return nil }
    return stretches[next].upperBound
  }

  // MARK: Finding

  /// The maximum number of runs of zeros in a table; the rest of a table with more of them counts as
  /// lost.
  private static let mostRuns = 1 << 16

  /// Finds the lost bytes of a file's tables.
  init(_ tables: TableReader) {
    var found: [Range<Int>] = []
    for kind in RegionKind.allCases {
      guard let region = tables.header.regions[kind], let shortest = kind.longestZeros else {
        continue
      }
      let entry = kind.knownEntrySize == 1 ? Layout.StringHeap.unit : Int(region.entrySize)
      // The row of a scheduler whose name did not fit into the heap of strings is all zeros until
      // the scheduler does something.
      if kind == .schedulers, tables.header.lost[.strings] != nil { continue }
      // The first entry is reserved and all zeros. If the recording was not stopped, the last slots
      // may be zeros because threads had not filled them yet.
      let first = region.start + (kind.beginsWithNothing ? entry : 0)
      var used = min(region.readable, Int(clamping: region.used))
      if kind == .slab, tables.header.state != .stopped {
        used -= max(1, min(64, Int(clamping: tables.header.regions[.threads]?.used ?? 0)))
      }
      let end = region.start + max(0, used) * Int(region.entrySize)
      guard first < end else { continue }
      var count = 0
      tables.file.forEachRunOfZeros(in: first..<end, longerThan: shortest) { zeros in
        count += 1
        if count < Self.mostRuns {
          found.append(tables.file.allZeros(around: zeros, in: first..<end))
        } else if count == Self.mostRuns {
          found.append(zeros.lowerBound..<end)
        }
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
  /// The longest run of zeros, in bytes, that a writer leaves in space that is in use; nil if there
  /// is no limit.
  fileprivate var longestZeros: Int? {
    switch self {
    case .segments, .tail, .markCounts: nil
    case .stacks: Layout.StackHeap.unit
    case .strings: Layout.StringHeap.bytes + Layout.StringHeap.limit
    default: leastEntrySize - 1
    }
  }

  /// Whether the first entry is reserved and all zeros.
  var beginsWithNothing: Bool { ![.images, .marks, .symbols].contains(self) }
}

extension TraceFile {
  /// The number of bytes that are examined at once.
  private static var pieceSize: Int { 1 << 16 }

  /// Calls `body` with each run of all-zero words in `range`, if the run is longer than `shortest`
  /// bytes; holes count as zeros.
  fileprivate func forEachRunOfZeros(
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
        // Bytes beyond the end of the file do not count as lost.
        guard bytes.count == count else { return false }
        place += count
      }
      return true
    }
    if range.upperBound <= byteCount { end(range.upperBound) }
  }

  /// Extends a run of all-zero words in `range` by the adjacent zeros: by less than a word, or by at
  /// most ``pieceSize`` bytes at an end of the range.
  fileprivate func allZeros(around zeros: Range<Int>, in range: Range<Int>) -> Range<Int> {
    let count = min(zeros.lowerBound, zeros.lowerBound == range.lowerBound ? Self.pieceSize : 8)
    let before = bytes(at: zeros.lowerBound - count, count: count)
    let behind = bytes(
      at: zeros.upperBound,
      count: zeros.upperBound == range.upperBound ? Self.pieceSize : 8
    )
    let start = zeros.lowerBound - (before.count - 1 - (before.lastIndex { $0 != 0 } ?? -1))
    let end = zeros.upperBound + (behind.firstIndex { $0 != 0 } ?? behind.count)
    // The start is rounded up to a whole word: numbers are little-endian and mostly small, so zeros
    // at the end of a word belong to a number.
    return (start + 7) / 8 * 8..<end
  }
}
