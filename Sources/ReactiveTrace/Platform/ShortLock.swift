import CReactiveTraceShims

/// A lock on a separate cache line, for critical sections of a few dozen instructions that call no
/// other code.
///
/// Without contention it costs half as much as a ``Lock``. Like a ``Lock``, it can be reset in a
/// forked child.
///
/// `@unchecked Sendable`: the pointer never changes, and what it points at is only accessed
/// atomically.
struct ShortLock: @unchecked Sendable {
  private let word: UnsafeMutablePointer<rxt_lock>

  /// Makes a lock that lives as long as the process, on a separate cache line.
  init() throws(TraceError) { word = try PrivateMemory.allocate(rxt_lock.self, count: 1) }

  @inline(__always)
  func lock() { rxt_lock_take(word) }
  @inline(__always)
  func unlock() { rxt_lock_give(word) }

  /// Unlocks the lock.
  ///
  /// Call this only in a forked child, where no other thread is left.
  func reset() { rxt_lock_give(word) }

  @inline(__always)
  func withLock<Result>(_ body: () -> Result) -> Result {
    lock()
    defer { unlock() }
    return body()
  }
}
