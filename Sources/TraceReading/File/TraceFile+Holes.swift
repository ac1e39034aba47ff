import Glibc

/// Holes of a file: stretches that were never written, read as zeros and take no room on the disk.
///
/// A file may claim any size and consist of holes, and a recording consists of them as far as it was not used. What is
/// read is what the file holds.
extension TraceFile {
  /// `SEEK_DATA` and `SEEK_HOLE`.
  private static let (data, hole): (Int32, Int32) = (3, 4)

  /// Calls `body` with the stretches of a range that hold data, in order, until it returns false.
  ///
  /// What is found there is what had been written when this was called. Where the file system does not tell, all of it
  /// may hold data.
  func forEachStretch(in range: Range<Int>, _ body: (Range<Int>) -> Bool) {
    var place = range.lowerBound
    while place < range.upperBound {
      guard let start = seek(place, Self.data) else { return }
      guard start < range.upperBound else { return }
      let end = min(range.upperBound, max(start + 1, seek(start, Self.hole) ?? range.upperBound))
      guard body(max(place, start)..<end) else { return }
      place = end
    }
  }

  /// The next data or hole from a place on; nil if there is none.
  ///
  /// The place itself where nobody knows.
  private func seek(_ place: Int, _ what: Int32) -> Int? {
    let found = lseek(descriptor, off_t(place), what)
    if found >= 0 { return Int(found) }
    if errno == ENXIO { return nil }
    return what == Self.data ? place : nil
  }

  /// The bytes of a range: without the holes at its end, and no further than into the first hole of more than
  /// `longestHole` bytes, which are zeros.
  func bytes(in range: Range<Int>, longestHole: Int) -> [UInt8] {
    var end = range.lowerBound
    forEachStretch(in: range) { stretch in
      guard stretch.lowerBound - end <= longestHole else {
        end += longestHole
        return false
      }
      end = stretch.upperBound
      return true
    }
    return bytes(at: range.lowerBound, count: end - range.lowerBound)
  }
}

extension TraceRegion {
  /// Where rows from `first` on are in the file, as far as they can be read.
  func bytes(from first: Int = 0) -> Range<Int> {
    guard first < readable else { return 0..<0 }
    let (end, overflow) = start.addingReportingOverflow(readable * Int(entrySize))
    return offset(ofRow: first)..<(overflow ? .max : end)
  }
}
