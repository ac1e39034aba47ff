import CReactiveTraceShims

/// A lock at an address of its own, for sections of some dozen instructions that call nothing.
///
/// Half as dear as ``Lock`` where nobody else wants it. Made new in a forked child like that one.
///
/// `@unchecked Sendable`: the pointer never changes, and what it points at is only accessed atomically.
struct ShortLock: @unchecked Sendable {
  private let word: UnsafeMutablePointer<rxt_lock>

  /// Makes a lock that lives as long as the process, on a cache line of its own.
  init() throws(TraceError) { word = try PrivateMemory.allocate(rxt_lock.self, count: 1) }

  @inline(__always)
  func lock() { rxt_lock_take(word) }
  @inline(__always)
  func unlock() { rxt_lock_give(word) }

  /// Makes the lock free.
  ///
  /// Only in a forked child, where no other thread is left.
  func reset() { rxt_lock_give(word) }

  @inline(__always)
  func withLock<Result>(_ body: () -> Result) -> Result {
    lock()
    defer { unlock() }
    return body()
  }
}
