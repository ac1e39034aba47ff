import Glibc

/// Holes of a file: ranges that were never written, which read as zeros and take no space on the
/// disk.
///
/// A file may claim any size and consist of holes, and the unused parts of a recording are holes.
/// So only ranges that hold data are read.
extension TraceFile {
  /// The values of `SEEK_DATA` and `SEEK_HOLE`.
  private static let (data, hole): (Int32, Int32) = (3, 4)

  /// Calls `body` with the parts of a range that hold data, in order, until it returns false.
  ///
  /// This covers all data that was written before the call. If the file system does not report
  /// holes, the whole range is treated as data.
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

  /// The offset of the next data or hole at or after an offset; nil if there is none.
  ///
  /// If the file system does not report holes, the result is the offset itself for data, and nil
  /// for a hole.
  private func seek(_ place: Int, _ what: Int32) -> Int? {
    let found = lseek(descriptor, off_t(place), what)
    if found >= 0 { return Int(found) }
    if errno == ENXIO { return nil }
    return what == Self.data ? place : nil
  }

  /// The bytes of a range, without the holes at its end.
  ///
  /// Of the first hole with more than `longestHole` bytes, only that many zeros are included, and
  /// nothing after it.
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
  /// The range of the file that contains the readable rows from `first` on.
  func bytes(from first: Int = 0) -> Range<Int> {
    guard first < readable else { return 0..<0 }
    let (end, overflow) = start.addingReportingOverflow(readable * Int(entrySize))
    return offset(ofRow: first)..<(overflow ? .max : end)
  }
}
