import CReactiveTraceShims
import Glibc
public import Synchronization

/// A `Mutex` that the thread sanitizer understands.
///
/// `Mutex` on Linux is in a library that is not instrumented, so the sanitizer does not see that a
/// thread hands the lock over to another, and reports races on the guarded state. The pair of
/// atomic accesses inside makes the hand-over visible, and costs a plain load and store.
/// ReactiveTesting and the tests use it too.
@usableFromInline
package struct Locked<State: Sendable>: ~Copyable, Sendable {
  @usableFromInline let handOver = Atomic<Bool>(false)
  @usableFromInline let mutex: Mutex<State>

  @inlinable
  package init(_ state: consuming State) { mutex = Mutex(consume state) }

  /// Runs `body` with exclusive access to the state.
  ///
  /// `body` must not run a closure of the program, nor anything that may take another lock.
  @inlinable @inline(__always)
  package borrowing func withLock<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    mutex.withLock { state in
      _ = handOver.load(ordering: .acquiring)  // pairs with the releasing store below
      defer { handOver.store(true, ordering: .releasing) }
      return body(&state)
    }
  }

  /// Runs `body` like ``withLock(_:)``, for a lock that many threads want at the same time, each
  /// for some nanoseconds.
  ///
  /// The kernel passes a mutex to its sleeping waiters one after another: while a waiter sleeps,
  /// every critical section costs a context switch. So a thread first tries again for a while,
  /// yielding the processor to others, before it sleeps.
  @inlinable @inline(__always)
  package borrowing func withBusyLock<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    if let result = tryLock(body) { return result }
    return withLockLater(body)
  }

  @usableFromInline @inline(never)
  borrowing func withLockLater<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    for attempt in 0..<200 {
      if attempt < 20 { rxt_pause() } else { sched_yield() }
      if let result = tryLock(body) { return result }
    }
    return withLock(body)
  }

  @inlinable @inline(__always)
  borrowing func tryLock<Result: Sendable>(_ body: (inout State) -> Result) -> Result? {
    mutex.withLockIfAvailable { state in
      _ = handOver.load(ordering: .acquiring)  // pairs with the releasing store below
      defer { handOver.store(true, ordering: .releasing) }
      return body(&state)
    }
  }
}
