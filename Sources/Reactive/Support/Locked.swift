public import Synchronization

/// A `Mutex` the thread sanitizer understands.
///
/// `Mutex` on Linux lives in a library that is not instrumented, so that its hand-over is invisible
/// and the sanitizer reports races on what it guards. The pair of atomic accesses inside tells it, and
/// costs a plain load and store. The test kit and the tests use it too.
@usableFromInline
package struct Locked<State: Sendable>: ~Copyable, Sendable {
  @usableFromInline let handOver = Atomic<Bool>(false)
  @usableFromInline let mutex: Mutex<State>

  @inlinable
  package init(_ state: State) { mutex = Mutex(state) }

  /// Runs `body` alone on the state.
  ///
  /// Never call out of it: not to a closure of the user, not to anything that may take another
  /// lock.
  @inlinable @inline(__always)
  package borrowing func withLock<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    mutex.withLock { state in
      _ = handOver.load(ordering: .acquiring)  // pairs with the release below
      defer { handOver.store(true, ordering: .releasing) }
      return body(&state)
    }
  }
}
