import CReactiveTraceShims

/// One region of the file being written.
///
/// `@unchecked Sendable`: the pointers never change and stay mapped as long as the process lives; who
/// may write which bytes is the affair of the table that owns the region.
struct MappedRegion: @unchecked Sendable {
  /// Its row in the region table.
  let row: UnsafeMutableRawPointer
  let base: UnsafeMutableRawPointer
  let entrySize: Int
  let capacity: Int

  /// The entry in row `index`, which must be below `capacity`.
  @inline(__always)
  func entry(_ index: Int) -> UnsafeMutableRawPointer { base + index * entrySize }

  /// Entries, or bytes of a heap, that readers may look at.
  ///
  /// The store releases what was written into them to a reader that loads it with acquire or by a
  /// system call.
  var used: Int {
    get { Int(Layout.Region.used.relaxed(at: row)) }
    nonmutating set { Layout.Region.used.setRelease(UInt64(newValue), at: row) }
  }

  /// Counts an entry that found no room.
  func countLost(_ count: UInt64 = 1) { Layout.Region.lost.add(count, at: row) }
}
