import CReactiveTraceShims
import Dispatch
import Synchronization

/// Something that is evaluated at most once, on the thread that needs it first; other threads wait
/// for it.
///
/// Its state is one word: not begun, done, or the evaluating thread and whether others wait.
/// Subclasses hold the result: they write it before ``finish()``, and read it after ``isDone`` was
/// true.
class Evaluated: @unchecked Sendable {
  // Unchecked because of the state of subclasses; the word is atomic.
  private static let fresh: UInt = 0
  private static let done: UInt = 1
  private static let isAwaited: UInt = 2

  private let state: Atomic<UInt>

  init(isDone: Bool) { state = Atomic(isDone ? Self.done : Self.fresh) }

  /// Whether the result is available; pairs with the release in ``finish()``.
  final var isDone: Bool { state.load(ordering: .acquiring) == Self.done }

  /// Returns true if the caller has to do the evaluation, and then call ``finish()``.
  ///
  /// Returns false when the evaluation is done, possibly after waiting for another thread.
  final func begin() -> Bool {
    // Objects of this type are aligned to 8 bytes at least, so that the lowest bits are free.
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
          "LazyList: an element was asked for by its own evaluation; it must depend on others only"
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

/// An evaluation in steps, some of which depend on another evaluation.
///
/// That evaluation may depend on a third, and so on: a loop evaluates them all, without recursion.
///
/// Unchecked because of `dependent`, which only the evaluating thread uses.
class SteppedEvaluation: Evaluated, @unchecked Sendable {
  /// The evaluation that waits for this one, on the same thread.
  private final var dependent: SteppedEvaluation?

  /// Continues the evaluation; returns another one that has to be done first, or nil when this one
  /// is done.
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
      // The evaluating thread sets `isDone` before it takes the waiting threads under this lock, so
      // it cannot miss this thread.
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
