import CReactiveTraceShims
import TracePlatform

/// One region of the file being written.
///
/// The recorder keeps its control data in private memory, because any process that may write to the
/// file could change it there.
///
/// `@unchecked Sendable`: the pointers never change and stay mapped for as long as the process
/// lives; which thread may write which bytes is up to the table that owns the region.
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
    /// How many bytes from the beginning may be written to.
    var held = 0
  }

  /// The entry in row `index`, which must be below `capacity`.
  @inline(__always)
  func entry(_ index: Int) -> UnsafeMutableRawPointer { base + index * entrySize }

  /// The number of entries, or bytes of a heap, that readers may read.
  ///
  /// The release store publishes the entries to a reader that loads the number with acquire or by a
  /// system call.
  var used: Int {
    get { Int(rxt_load_acquire_u64(state)) }
    nonmutating set {
      rxt_store_release_u64(state, UInt64(newValue))
      Layout.Region.used.setRelease(UInt64(newValue), at: row)
    }
  }

  /// Counts entries for which there was no room.
  ///
  /// Nothing is counted while recording is stopped, for example because the disk is full.
  func countLost(_ count: UInt64 = 1) {
    if !Recorder.isStopped { Layout.Region.lost.add(count, at: row) }
  }

  // MARK: Room

  /// Whether the first `count` entries, of which there are no more than `capacity`, may be written
  /// to.
  ///
  /// Stops recording if the disk has no room for them. Requires the lock of the table that owns the
  /// region.
  @inline(__always)
  func reserve(_ count: Int) -> Bool {
    count &* entrySize <= state.pointee.held || grow(count * entrySize) == 0 || Recorder.ranOut()
  }

  /// The row for a new entry, which is in use once ``used`` includes it; nil, counted as lost, if
  /// there is no room.
  ///
  /// Requires the lock of the table that owns the region.
  func newRow() -> Int? {
    let number = used
    if number < capacity, reserve(number + 1) { return number }
    countLost()
    return nil
  }

  /// How many bytes from the beginning may be written to.
  ///
  /// Requires the lock of the table that owns the region.
  var heldBytes: Int { state.pointee.held }

  /// Allocates pages for this many bytes.
  ///
  /// It allocates at least as many bytes as were allocated before, up to a limit, so that a large
  /// table grows rarely.
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
