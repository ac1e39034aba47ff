import CReactiveTraceShims
import Dispatch
import Synchronization

/// An evaluation that runs at most once, on the first thread that needs its result; other threads
/// wait for the result.
///
/// The word `state` says that the evaluation has not begun, that it is done, or which thread
/// evaluates and whether other threads wait. Subclasses store the result: they write it before they
/// call ``finish()``, and read it only once ``isDone`` is true.
class Evaluated: @unchecked Sendable {
  // Unchecked because subclasses have mutable state; `state` is atomic.
  private static let fresh: UInt = 0
  private static let done: UInt = 1
  private static let isAwaited: UInt = 2

  private let state: Atomic<UInt>

  init(isDone: Bool) { state = Atomic(isDone ? Self.done : Self.fresh) }

  /// Whether the result is available.
  ///
  /// The acquiring load pairs with the releasing exchange in ``finish()``.
  final var isDone: Bool { state.load(ordering: .acquiring) == Self.done }

  /// Begins the evaluation, or waits until another thread has done it.
  ///
  /// - Returns: True if the caller has to do the evaluation, and to call ``finish()`` after it;
  ///   false if the evaluation is done.
  final func begin() -> Bool {
    // The state of a thread is aligned to at least 8 bytes, so the lowest bits of its address are
    // free for flags.
    let thread = UInt(bitPattern: rxt_thread_state())
    var word = state.load(ordering: .acquiring)
    while true {
      switch word {
      case Self.done: return false
      case Self.fresh:
        let (isFirst, found) = state.compareExchange(
          expected: word,
          desired: thread,
          ordering: .acquiringAndReleasing
        )
        if isFirst { return true }
        word = found
      default:
        precondition(
          word & ~Self.isAwaited != thread,
          "LazyList: the evaluation of an element needs that element itself; remove the cycle"
        )
        let (isNoted, found) = state.compareExchange(
          expected: word,
          desired: word | Self.isAwaited,
          ordering: .acquiringAndReleasing
        )
        if isNoted {
          Waiting.wait(for: self)
          return false
        }
        word = found
      }
    }
  }

  /// Marks the evaluation as done; the caller has written the result.
  final func finish() {
    let word = state.exchange(Self.done, ordering: .acquiringAndReleasing)
    if word & Self.isAwaited != 0 { Waiting.wake(self) }
  }
}

/// An evaluation in steps, any of which may need another evaluation to be done first.
///
/// A loop evaluates a whole chain of dependent evaluations, without recursion.
///
/// Unchecked because of `dependent`, which only the evaluating thread uses.
class SteppedEvaluation: Evaluated, @unchecked Sendable {
  /// The evaluation that waits for this one, on the same thread.
  private final var dependent: SteppedEvaluation?

  /// Continues this evaluation; returns another evaluation that has to be done first, or nil when
  /// the result is available.
  ///
  /// Called only by the thread that has begun the evaluation.
  func advance() -> SteppedEvaluation? { nil }

  final func evaluate() {
    var last: SteppedEvaluation?
    var needed: SteppedEvaluation? = self
    repeat {
      if let one = needed, one.begin() {
        one.dependent = last
        last = one
      }
      guard let one = last else { return }
      needed = one.advance()
      if needed == nil {
        last = one.dependent
        one.dependent = nil
        one.finish()
      }
    } while last != nil
  }
}

/// The threads that wait for evaluations on other threads.
private enum Waiting {
  private static let threads = Locked<[ObjectIdentifier: [DispatchSemaphore]]>([:])

  static func wait(for one: Evaluated) {
    let semaphore = DispatchSemaphore(value: 0)
    let mustWait = threads.withLock { threads in
      // The evaluating thread sets the state to done before it removes the semaphores under this
      // lock. So if the state is not done yet, that thread will find this semaphore.
      if one.isDone { return false }
      threads[ObjectIdentifier(one), default: []].append(semaphore)
      return true
    }
    if mustWait { semaphore.wait() }
  }

  static func wake(_ one: Evaluated) {
    let woken = threads.withLock { $0.removeValue(forKey: ObjectIdentifier(one)) }
    for semaphore in woken ?? [] { semaphore.signal() }
  }
}
