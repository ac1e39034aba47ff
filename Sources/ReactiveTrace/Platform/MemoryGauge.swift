import CReactiveTraceShims
import Glibc
import TracePlatform

/// The memory use of the process, for marks.
///
/// The amount of heap in use can only be determined by walking the free blocks, and meanwhile no
/// other thread can allocate from the arena that is being walked. In most programs this takes from
/// a tenth of a microsecond to a few dozen microseconds, but with five million free blocks it takes
/// a tenth of a second or more. So the cost of a reading decides when the next one may be made.
/// Only the first reading after many blocks have been freed is expensive without warning, and it
/// costs no more than freeing them has cost the program.
///
/// `@unchecked Sendable`: everything is constant except the numbers that `last` points at, which
/// are accessed atomically.
struct MemoryGauge: @unchecked Sendable {
  /// The heap in use and the resident size, in bytes; 0 if unknown.
  struct Reading: Equatable, BitwiseCopyable, Sendable {
    var heapInUse: UInt64 = 0
    var residentSize: UInt64 = 0
  }

  /// `/proc/self/statm`, kept open for as long as the process runs, so that neither a sandbox nor
  /// another root directory prevents access; -1 if it could not be opened.
  private let descriptor: Int32
  /// The identity of that file, which shows whether the program has closed the descriptor and
  /// another file has got its number.
  private let identity: FileIdentity?
  /// Two numbers about the latest reading of the heap: the processor time it took, in nanoseconds,
  /// and the time of the monotonic clock afterwards.
  private let last: UnsafeMutablePointer<UInt64>

  /// The cost in nanoseconds up to which a reading of the heap does not delay the next one.
  static var freeCost: UInt64 { 50_000 }

  /// The pause after a reading of the heap, as a multiple of the time that the reading took.
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

  /// The current memory use; the heap is left out (0) if its latest reading was expensive and too
  /// recent.
  ///
  /// Waits for the locks of malloc, so it must not be called while holding a lock for which a
  /// thread inside malloc may wait.
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
