import CReactiveTraceShims
import TracePlatform

/// One region of the file being written.
///
/// Its `state` is in private memory: any process that may write to the file could change a state
/// that is stored in the file.
///
/// `@unchecked Sendable`: the pointers never change, and the memory stays mapped for as long as the
/// process lives. The table that owns the region decides which thread may write which bytes.
struct MappedRegion: @unchecked Sendable {
  let kind: RegionKind
  /// Its row in the region table.
  let row: UnsafeMutableRawPointer
  let base: UnsafeMutableRawPointer
  let entrySize: Int
  let capacity: Int
  let room: FileRoom
  let state: UnsafeMutablePointer<State>

  struct State: BitwiseCopyable {
    /// The count published to readers, changed atomically.
    var used: UInt64 = 0
    /// The number of bytes from the beginning whose pages are allocated.
    var held = 0
  }

  /// The entry in row `index`, which must be below `capacity`.
  @inline(__always)
  func entry(_ index: Int) -> UnsafeMutableRawPointer { base + index * entrySize }

  /// The number of entries, or bytes of a heap, that readers may read.
  ///
  /// The setter publishes the entries to readers that load the number with acquire ordering or read
  /// the file with a system call.
  var used: Int {
    get { Int(rxt_load_acquire_u64(state)) }
    nonmutating set {
      rxt_store_release_u64(state, UInt64(newValue))
      Layout.Region.used.setRelease(UInt64(newValue), at: row)
    }
  }

  /// Counts entries for which there was no room.
  ///
  /// Counts nothing while recording is stopped, for example because the disk is full.
  func countLost(_ count: UInt64 = 1) {
    if !Recorder.isStopped { Layout.Region.lost.add(count, at: row) }
  }

  // MARK: Room

  /// Allocates pages for the first `count` entries, if necessary, and returns whether they may be
  /// written to.
  ///
  /// The count must not exceed `capacity`. Stops recording if the disk has no room for the entries.
  /// Requires the lock of the table that owns the region.
  @inline(__always)
  func reserve(_ count: Int) -> Bool {
    count &* entrySize <= state.pointee.held || grow(count * entrySize) == 0 || Recorder.ranOut()
  }

  /// The row for a new entry; nil if there is no room, in which case the entry is counted as lost.
  ///
  /// The row is in use once the caller has increased ``used``. Requires the lock of the table that
  /// owns the region.
  func newRow() -> Int? {
    let number = used
    if number < capacity, reserve(number + 1) { return number }
    countLost()
    return nil
  }

  /// The number of bytes from the beginning whose pages are allocated.
  ///
  /// Requires the lock of the table that owns the region.
  var heldBytes: Int { state.pointee.held }

  /// Allocates pages for this many bytes; returns 0, or the system's error number.
  ///
  /// So that a large table grows rarely, this at least doubles the allocated size, or adds 256 KiB
  /// if that is less.
  private func grow(_ byteCount: Int) -> Int32 {
    let held = state.pointee.held
    let step = min(max(held, FileRoom.pageSize), Self.largestStep)
    let end = min(
      FileRoom.wholePages(max(byteCount, held + step)),
      FileRoom.wholePages(capacity * entrySize)
    )
    let failure = room.take(base + held, end - held)
    if failure == 0 { state.pointee.held = end }
    return failure
  }

  private static var largestStep: Int { 256 << 10 }
}
