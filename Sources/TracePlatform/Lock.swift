package import Glibc

/// A mutex at a fixed address.
///
/// It is used instead of `Synchronization.Mutex`, which the thread sanitizer does not understand,
/// and which cannot be reset in a forked child whose parent held it.
///
/// `@unchecked Sendable`: the pointer never changes, and what it points at may be used by several
/// threads.
package struct Lock: @unchecked Sendable {
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// Makes a lock that lives as long as the process.
  package init() {
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  @inlinable package func lock() { pthread_mutex_lock(mutex) }
  /// Takes the lock if it is free.
  package func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }
  @inlinable package func unlock() { pthread_mutex_unlock(mutex) }

  /// Resets the lock to a new, free one.
  ///
  /// Call this only in a forked child, where no other thread is left.
  package func reset() { pthread_mutex_init(mutex, nil) }

  @inlinable @inline(__always)
  package func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}
