import Glibc
import TraceReading

/// Pieces of a recording that were lost and read as zeros.
struct TraceHoles {
  /// The size of a piece in bytes.
  static let size = 65536

  /// Where pieces are taken out.
  enum Target: String, CaseIterable {
    /// Anywhere in the file.
    case file
    /// In a table that is in use, because most of a file is records or unused.
    case tables
  }

  let ranges: [Range<Int>]
  /// Whether the pieces become holes in the file rather than zeros.
  let punchesHoles: Bool

  /// Chooses the pieces for one part of a campaign, which are the same for the same generator.
  init(count: Int, in parts: TraceParts, _ target: Target, _ generator: inout SeededGenerator) {
    punchesHoles = generator.below(2) == 1
    ranges = (0..<count).map { _ in
      var start = generator.below(parts.byteCount)
      if target == .tables {
        let table = generator.one(of: parts.tables)
        let first = max(0, table.lowerBound - Self.size + 1)
        start = first + generator.below(table.upperBound - first)
      }
      // Half of them begin at a page boundary, because file systems lose whole pages.
      if generator.below(2) == 0 { start = start / 4096 * 4096 }
      return start..<min(parts.byteCount, start + Self.size)
    }
  }

  /// Removes the pieces from a copy of the recording that is mapped into memory.
  func cut(_ copy: UnsafeMutableRawPointer) {
    for range in ranges {
      memset(copy + range.lowerBound, 0, range.count)
      // Only whole pages can become holes.
      let first = (range.lowerBound + 4095) / 4096 * 4096
      let end = range.upperBound / 4096 * 4096
      if punchesHoles, first < end { madvise(copy + first, end - first, MADV_REMOVE) }
    }
  }

  /// Restores the pieces from the original.
  func restore(_ copy: UnsafeMutableRawPointer, from original: Int32) {
    for range in ranges {
      _ = pread(original, copy + range.lowerBound, range.count, off_t(range.lowerBound))
    }
  }
}

/// The parts of a recording that are in use.
struct TraceParts {
  let byteCount: Int
  /// The range of bytes of each region that is in use; a region may have several.
  let used: [(kind: RegionKind, bytes: Range<Int>)]

  init(_ snapshot: TraceSnapshot, byteCount: Int) {
    self.byteCount = byteCount
    var used: [(kind: RegionKind, bytes: Range<Int>)] = []
    for (kind, region) in snapshot.header.regions where kind != .segments && kind != .tail {
      let count =
        kind == .markCounts
        ? Int(region.capacity) : min(Int(clamping: region.used), Int(region.capacity))
      let start = Int(region.offset)
      let size =
        kind == .strings || kind == .stacks ? Int(region.used) : count * Int(region.entrySize)
      if size > 0 { used.append((kind, start..<min(byteCount, start + size))) }
    }
    for segment in snapshot.segments {
      guard let region = snapshot.header.regions[segment.isInTail ? .tail : .segments] else {
        continue
      }
      let start = Int(region.offset) + segment.index * 65536
      used.append((.segments, start..<(start + Int(segment.committed))))
    }
    self.used = used.sorted { $0.bytes.lowerBound < $1.bytes.lowerBound }
  }

  /// The ranges of all regions other than the segments.
  var tables: [Range<Int>] { used.filter { $0.kind != .segments }.map(\.bytes) }

  /// The regions of which the holes remove something; nil stands for the header.
  func hit(by holes: TraceHoles) -> Set<RegionKind?> {
    var hit: Set<RegionKind?> = []
    for hole in holes.ranges {
      if hole.lowerBound < 4096 { hit.insert(nil) }
      for part in used where part.bytes.overlaps(hole) { hit.insert(part.kind) }
    }
    return hit
  }
}
