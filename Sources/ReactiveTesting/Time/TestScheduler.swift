public import Reactive
import ReactiveTrace

/// A scheduler whose time moves only when a test moves it.
///
/// Work runs on the thread that moves the time, in the order of its due times; work with equal due
/// times runs in the order in which it was scheduled. So a test that uses it is deterministic.
///
/// ```swift
/// let time = TestScheduler()
/// let ticks = Signal.interval(.seconds(60), on: time).recorded(at: time)
/// time.advance(by: .seconds(180))
/// #expect(ticks.values == [0, 1, 2])
/// ```
public final class TestScheduler: Scheduler {
  /// The scheduler's name and kind.
  public let identity: SchedulerIdentity
  /// The time that a character of a marble diagram takes.
  public let frame: Duration

  private struct Entry: Sendable {
    let time: Duration
    let work: ScheduledWork
  }

  private struct State: Sendable {
    var now: Duration = .zero
    /// Sorted with the latest time first, so that the next to run is the last entry.
    ///
    /// Of entries with equal times, the one scheduled first is nearest to the end.
    var entries: [Entry] = []
    var kept: [any AnyObject & Sendable] = []
    /// The callers of `hasPending(_:)`, each of which waits until `count` pieces of work are
    /// pending.
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    var pendingCount: Int { entries.count { !$0.work.isDisposed } }

    /// Removes and returns the continuations of the callers that need not wait any more.
    mutating func takeSatisfied() -> [CheckedContinuation<Void, Never>] {
      if waiting.isEmpty { return [] }
      let count = pendingCount
      defer { waiting.removeAll { $0.count <= count } }
      return waiting.filter { $0.count <= count }.map(\.continuation)
    }

    mutating func insert(_ entry: Entry) {
      var low = 0
      var high = entries.count
      while low < high {
        let middle = (low + high) / 2
        if entries[middle].time > entry.time { low = middle + 1 } else { high = middle }
      }
      entries.insert(entry, at: low)
    }

    /// The next piece of work that is due by `limit` and was not cancelled.
    mutating func next(until limit: Duration?) -> ScheduledWork? {
      while let entry = entries.last {
        if entry.work.isDisposed {
          entries.removeLast()
          continue
        }
        if let limit, entry.time > limit { return nil }
        entries.removeLast()
        now = max(now, entry.time)
        return entry.work
      }
      return nil
    }
  }

  private let state = Locked(State())

  /// Creates a scheduler with no pending work.
  ///
  /// - Parameters:
  ///   - name: The scheduler's name in traces.
  ///   - start: The time at which it begins.
  ///   - frame: The time that a character of a marble diagram takes. If the code under test waits
  ///     for 300 milliseconds, frames of 100 keep diagrams short. Must be positive.
  public init(
    _ name: String = "virtual time",
    startingAt start: Duration = .zero,
    frame: Duration = .milliseconds(1)
  ) {
    precondition(frame > .zero, "TestScheduler(frame: \(frame)): a frame must take some time")
    identity = SchedulerIdentity(name: name, kind: .virtualTime)
    self.frame = frame
    state.withLock { $0.now = start }
  }

  /// The virtual time, which begins at zero or at the chosen start.
  public var now: Duration { state.withLock { $0.now } }

  /// The number of pieces of work that are pending and were not cancelled.
  public var pendingCount: Int {
    state.withLock { $0.pendingCount }
  }

  /// Queues work that is due now; it runs when the test next moves the time, not before.
  public func run(_ work: ScheduledWork) { run(work, after: .zero) }

  /// Queues work that is due when `delay` has passed.
  public func run(_ work: ScheduledWork, after delay: Duration) {
    let satisfied = state.withLock { state in
      state.insert(Entry(time: state.now + max(delay, .zero), work: work))
      return state.takeSatisfied()
    }
    for one in satisfied { one.resume() }
  }

  func waiting(for count: Int, _ continuation: CheckedContinuation<Void, Never>) {
    let satisfied = state.withLock { state in
      state.waiting.append((count, continuation))
      return state.takeSatisfied()
    }
    for one in satisfied { one.resume() }
  }

  // MARK: Moving the time

  /// Moves the time to the next piece of work and runs it.
  ///
  /// - Returns: False if there was none.
  @discardableResult
  public func step() -> Bool {
    guard let work = state.withLock({ $0.next(until: nil) }) else { return false }
    work.run()
    return true
  }

  /// Moves the time to the next piece of work and runs it, up to `count` times.
  ///
  /// Work that is scheduled meanwhile is included.
  ///
  /// - Parameter count: The maximum number of pieces of work to run.
  /// - Returns: The number of pieces of work that were run.
  @discardableResult
  public func step(_ count: Int) -> Int {
    precondition(count >= 0, "step(\(count)): the count must be ≥ 0")
    for done in 0..<count where !step() { return done }
    return count
  }

  /// Moves the time forward and runs all work that becomes due, including work scheduled meanwhile.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "advance(by: \(duration)): virtual time cannot run backwards")
    let limit = now + duration
    while let work = state.withLock({ $0.next(until: limit) }) { work.run() }
    state.withLock { $0.now = max($0.now, limit) }
  }

  /// Moves the time forward to an instant, which must not be in the past; see ``advance(by:)``.
  public func advance(to time: Duration) {
    let now = now
    precondition(time >= now, "advance(to: \(time)): virtual time is already \(now)")
    advance(by: time - now)
  }

  /// Sets the time back to an instant, as one sets a clock, and runs nothing.
  ///
  /// The due times of pending work do not change, so the work is further away afterwards.
  ///
  /// - Parameter start: The new time. Must not be in the future; use ``advance(to:)`` for that.
  public func rewind(to start: Duration = .zero) {
    let now = state.withLock { state in
      defer { state.now = min(state.now, start) }
      return state.now
    }
    precondition(
      start <= now,
      "rewind(to: \(start)): virtual time is only \(now); use advance(to:)"
    )
  }

  /// Sets the time back by `duration`; see ``rewind(to:)``.
  public func rewind(by duration: Duration) {
    precondition(
      duration >= .zero,
      "rewind(by: \(duration)): the duration must be ≥ 0; use advance(by:) to move forward"
    )
    rewind(to: now - duration)
  }

  /// Runs work until none is pending, moving the time as far as necessary.
  ///
  /// - Parameter steps: The maximum number of pieces of work to run, so that a repeating timer does
  ///   not run for ever.
  /// - Returns: Whether no work is pending.
  @discardableResult
  public func run(atMost steps: Int = 1_000_000) -> Bool {
    for _ in 0..<steps where !step() { return true }
    return pendingCount == 0
  }

  /// Cancels all pending work.
  ///
  /// Pending work and the scheduler retain each other. If a test ends before a repeating timer
  /// does, a leak checker reports both, unless the timer was ended by this method or by disposing
  /// of the subscription that started it.
  public func cancelAll() {
    let (entries, kept) = state.withLock { state in
      defer {
        state.entries = []
        state.kept = []
      }
      return (state.entries, state.kept)
    }
    for entry in entries.reversed() { entry.work.dispose() }
    withExtendedLifetime(kept) {}
  }

  /// Retains an object, such as a subject that work refers to weakly, until the scheduler is freed
  /// or `cancelAll` is called.
  func keep(_ object: any AnyObject & Sendable) { state.withLock { $0.kept.append(object) } }
}
