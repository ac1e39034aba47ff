import CReactiveTraceShims
import Dispatch
import Synchronization

/// Something that is evaluated at most once, on whichever thread needs it first; others wait for it.
///
/// One word: not begun, done, or the thread that evaluates it and whether others wait. What the result is,
/// subclasses know: they write it before ``finish()``, and read it after ``isDone`` was seen.
class Evaluated: @unchecked Sendable {
  // Unchecked for what subclasses say; the word is atomic.
  private static let fresh: UInt = 0
  private static let done: UInt = 1
  private static let isAwaited: UInt = 2

  private let state: Atomic<UInt>

  init(isDone: Bool) { state = Atomic(isDone ? Self.done : Self.fresh) }

  /// Whether the result is there; acquires what ``finish()`` released.
  final var isDone: Bool { state.load(ordering: .acquiring) == Self.done }

  /// Whether the caller has to evaluate it, and to call ``finish()`` then.
  ///
  /// False when it is done, which may be after waiting for another thread.
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

  /// The result has been written.
  final func finish() {
    let word = state.exchange(Self.done, ordering: .acquiringAndReleasing)
    if word & Self.isAwaited != 0 { Waiting.wake(self) }
  }
}

/// An evaluation in steps, some of which need another one to be done.
///
/// That may need a third, to any depth: a loop does it, not recursion.
///
/// Unchecked for `dependent`, which only who evaluates it touches.
class SteppedEvaluation: Evaluated, @unchecked Sendable {
  /// The one that waits for this one, on the same thread.
  private final var dependent: SteppedEvaluation?

  /// Goes on with the evaluation; returns the one that has to be done first, nil when it is done itself.
  ///
  /// Only for who has begun the evaluation.
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

/// The threads that wait for an evaluation on another.
private enum Waiting {
  private static let threads = Locked<[ObjectIdentifier: [DispatchSemaphore]]>([:])

  static func wait(for one: Evaluated) {
    let semaphore = DispatchSemaphore(value: 0)
    let mustWait = threads.withLock { threads in
      // Whoever is done wakes under this lock, after it was seen to be done here.
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
