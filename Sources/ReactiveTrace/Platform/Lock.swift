import Glibc

/// A mutex at an address of its own.
///
/// Not `Synchronization.Mutex`: the thread sanitizer does not see that one, and it cannot be made new
/// in a forked child whose parent held it.
///
/// `@unchecked Sendable`: the pointer never changes, and what it points at is made for several threads.
struct Lock: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// Makes a lock that lives as long as the process.
  init() {
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  func lock() { pthread_mutex_lock(mutex) }
  /// Takes the lock if nobody has it.
  func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }
  func unlock() { pthread_mutex_unlock(mutex) }

  /// Makes the lock new and free.
  ///
  /// Only in a forked child, where no other thread is left.
  func reset() { pthread_mutex_init(mutex, nil) }

  @inline(__always)
  func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}
