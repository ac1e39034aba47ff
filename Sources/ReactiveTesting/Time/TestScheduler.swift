public import Reactive
import ReactiveTrace

/// A scheduler whose time moves only when a test moves it.
///
/// Work runs on the thread that moves the time, in the order of its due times, and in the order in which
/// it was scheduled where these are equal: a test that uses it has one outcome.
///
/// ```swift
/// let time = TestScheduler()
/// let ticks = Signal.interval(.seconds(60), on: time).recorded(at: time)
/// time.advance(by: .seconds(180))
/// #expect(ticks.values == [0, 1, 2])
/// ```
public final class TestScheduler: Scheduler {
  /// Its name and kind.
  public let identity: SchedulerIdentity
  /// How long a character of a marble diagram is.
  public let frame: Duration

  private struct Entry: Sendable {
    let time: Duration
    let work: ScheduledWork
  }

  /// The latest first, so that the next to run is the last; of equal times the first scheduled is last.
  private struct State: Sendable {
    var now: Duration = .zero
    var entries: [Entry] = []
    var kept: [any AnyObject & Sendable] = []
    /// Who waits until so many pieces of work do.
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    var pendingCount: Int { entries.count { !$0.work.isDisposed } }

    /// Those that need not wait any more.
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

  /// A scheduler with nothing to do.
  ///
  /// - Parameters:
  ///   - name: What it is called in traces.
  ///   - start: The time that it is to begin with.
  ///   - frame: How long a character of a marble diagram is. Where the code under test waits for 300
  ///     milliseconds, frames of 100 keep diagrams short. Must be positive.
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

  /// The virtual time: from zero, or from the start that was chosen.
  public var now: Duration { state.withLock { $0.now } }

  /// Pieces of work that wait and were not cancelled.
  public var pendingCount: Int {
    state.withLock { $0.pendingCount }
  }

  /// Accepts work that is due now, and runs it when the time is moved, at the earliest.
  public func run(_ work: ScheduledWork) { run(work, after: .zero) }

  /// Accepts work that is due when `delay` has passed.
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

  /// Moves the time to the next piece of work and runs that.
  ///
  /// - Returns: False if there was none.
  @discardableResult
  public func step() -> Bool {
    guard let work = state.withLock({ $0.next(until: nil) }) else { return false }
    work.run()
    return true
  }

  /// Moves the time to the next piece of work and runs that, so many times.
  ///
  /// What is scheduled meanwhile counts.
  ///
  /// - Parameter count: How many pieces of work to run at most.
  /// - Returns: How many there were.
  @discardableResult
  public func step(_ count: Int) -> Int {
    precondition(count >= 0, "step(\(count)): the count must be ≥ 0")
    for done in 0..<count where !step() { return done }
    return count
  }

  /// Moves the time forward and runs everything that comes due, what is scheduled meanwhile included.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "advance(by: \(duration)): virtual time cannot run backwards")
    let limit = now + duration
    while let work = state.withLock({ $0.next(until: limit) }) { work.run() }
    state.withLock { $0.now = max($0.now, limit) }
  }

  /// Moves the time forward to an instant, which must not have passed; see ``advance(by:)``.
  public func advance(to time: Duration) {
    let now = now
    precondition(time >= now, "advance(to: \(time)): it is \(now) already")
    advance(by: time - now)
  }

  /// Sets the time back to an instant, as somebody who sets a clock does; what runs is moved by nothing.
  ///
  /// Work that waits stays due when it was: it is further away now.
  ///
  /// - Parameter start: Must not lie ahead; ``advance(to:)`` leads there.
  public func rewind(to start: Duration = .zero) {
    let now = state.withLock { state in
      defer { state.now = min(state.now, start) }
      return state.now
    }
    precondition(start <= now, "rewind(to: \(start)): it is only \(now)")
  }

  /// Sets the time back by so much; see ``rewind(to:)``.
  public func rewind(by duration: Duration) {
    precondition(duration >= .zero, "rewind(by: \(duration)): advance(by:) leads ahead")
    rewind(to: now - duration)
  }

  /// Runs until nothing is left to do, moving the time as far as that takes.
  ///
  /// - Parameter steps: Where to give up, so that a repeating timer does not go on for ever.
  /// - Returns: Whether nothing is left.
  @discardableResult
  public func run(atMost steps: Int = 1_000_000) -> Bool {
    for _ in 0..<steps where !step() { return true }
    return pendingCount == 0
  }

  /// Cancels everything that waits.
  ///
  /// Work that waits keeps the scheduler alive, which keeps the work: where a test ends before a repeating
  /// timer does, a tool that looks for leaked memory reports both, unless this, or the disposal of what
  /// armed the timer, has ended it.
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

  /// Keeps an object alive as long as the scheduler, such as a subject that work refers to.
  func keep(_ object: any AnyObject & Sendable) { state.withLock { $0.kept.append(object) } }
}
