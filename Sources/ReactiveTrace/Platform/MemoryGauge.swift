import CReactiveTraceShims
import Glibc
import TracePlatform

/// The memory use of the process, for marks.
///
/// The amount of heap in use is only known by walking its free blocks, while no other thread can
/// allocate from that part of it: from a tenth of a microsecond to some dozen in most programs, a
/// tenth of a second and more with five million of them. So the cost of a reading decides when the
/// next one is made. The cost of the first reading after many blocks have become free is bounded by
/// what it cost the program to free them.
///
/// `@unchecked Sendable`: everything but what `last` points at is constant, and that is atomic.
struct MemoryGauge: @unchecked Sendable {
  /// In bytes; 0 if unknown.
  struct Reading: Equatable, BitwiseCopyable, Sendable {
    var heapInUse: UInt64 = 0
    var residentSize: UInt64 = 0
  }

  /// `/proc/self/statm`, kept open for as long as the process runs, so that neither a sandbox nor
  /// another root directory prevents access; -1 if it could not be opened.
  private let descriptor: Int32
  /// Distinguishes it from a file that gets its number after the program has closed it.
  private let identity: FileIdentity?
  /// Of the latest reading of the heap: its processor time in nanoseconds, and the monotonic clock
  /// after it.
  private let last: UnsafeMutablePointer<UInt64>

  /// A reading of the heap that costs no more than this, in nanoseconds, does not delay the next
  /// one.
  static var freeCost: UInt64 { 50_000 }

  /// For how many times the duration of a reading of the heap no further one is made.
  static func pause(_ kind: MarkKind) -> UInt64 {
    switch kind {
    case .program: 100
    case .automatic: 1000
    }
  }

  init() throws(TraceError) {
    last = try PrivateMemory.allocate(UInt64.self, count: 2)
    descriptor = OwnDescriptor.open("/proc/self/statm", O_RDONLY)
    identity = FileIdentity(of: descriptor)
  }

  /// The current use, as far as it can be determined within the time allowed for a mark.
  ///
  /// Waits for the locks of malloc: to be called with no lock held for which a thread inside malloc
  /// may wait.
  func read(_ kind: MarkKind) -> Reading {
    Reading(heapInUse: isHeapDue(kind) ? readHeap() : 0, residentSize: readResidentSize())
  }

  /// Whether the heap may be read again.
  private func isHeapDue(_ kind: MarkKind) -> Bool {
    let cost = rxt_load_relaxed_u64(last)
    if cost <= Self.freeCost { return true }
    let passed = rxt_monotonic_ns() &- rxt_load_relaxed_u64(last + 1)
    return passed / Self.pause(kind) >= cost
  }

  private func readHeap() -> UInt64 {
    let start = rxt_thread_nanoseconds()
    let bytes = rxt_heap_in_use()
    note(cost: rxt_thread_nanoseconds() &- start)
    return bytes
  }

  /// Notes the cost of a reading of the heap.
  func note(cost: UInt64) {
    rxt_store_relaxed_u64(last + 1, rxt_monotonic_ns())
    rxt_store_relaxed_u64(last, cost)
  }

  private func readResidentSize() -> UInt64 {
    guard let identity, FileIdentity(of: descriptor) == identity else { return 0 }
    return rxt_resident_size(descriptor)
  }

  /// Closes the file, if it is still open: for a forked child, which records nothing.
  func close() {
    guard let identity, FileIdentity(of: descriptor) == identity else { return }
    _ = Glibc.close(descriptor)
  }
}
