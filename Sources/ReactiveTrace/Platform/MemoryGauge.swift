import CReactiveTraceShims
import Glibc
import TracePlatform

/// What the process has of memory, for marks.
///
/// How much of the heap is in use tells only who goes through its free blocks, while no other thread can have any of that part of it: a
/// tenth of a microsecond to some dozen in most programs, a tenth of a second and more where there are five million of them. So what a reading has cost decides when the
/// next one is made. What the first one costs after many blocks have become free is bounded by what it cost the program to free them.
///
/// `@unchecked Sendable`: everything but what `last` points at is constant, and that is atomic.
struct MemoryGauge: @unchecked Sendable {
  /// Bytes; 0 for what is not known.
  struct Reading: Equatable, BitwiseCopyable, Sendable {
    var heapInUse: UInt64 = 0
    var residentSize: UInt64 = 0
  }

  /// `/proc/self/statm`, open as long as the process runs, so that neither a sandbox nor another root keeps it away; -1 if it
  /// could not be had.
  private let descriptor: Int32
  /// What tells it from a file that has its number when the program has closed it.
  private let identity: FileIdentity?
  /// Of the latest reading of the heap: the nanoseconds for which it kept the processor, and the monotonic clock behind it.
  private let last: UnsafeMutablePointer<UInt64>

  /// A reading of the heap that costs no more nanoseconds does not put off the next one.
  static var freeCost: UInt64 { 50_000 }

  /// How many times as long as a reading of the heap has taken none is made.
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

  /// What is in use now, as far as it can be told within the time that is allowed for a mark.
  ///
  /// Waits for the locks of malloc: with no lock held that somebody inside of malloc may wait for.
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

  /// Takes down what a reading of the heap has cost.
  func note(cost: UInt64) {
    rxt_store_relaxed_u64(last + 1, rxt_monotonic_ns())
    rxt_store_relaxed_u64(last, cost)
  }

  private func readResidentSize() -> UInt64 {
    guard let identity, FileIdentity(of: descriptor) == identity else { return 0 }
    return rxt_resident_size(descriptor)
  }

  /// Closes the file, if it is still open: for the child of a process, which records nothing.
  func close() {
    guard let identity, FileIdentity(of: descriptor) == identity else { return }
    _ = Glibc.close(descriptor)
  }
}
