public import Reactive
import ReactiveTrace

/// A scheduler whose time moves only when it is told to.
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

  /// A scheduler at time zero, with nothing to do.
  ///
  /// - Parameters:
  ///   - name: What it is called in traces.
  ///   - frame: How long a character of a marble diagram is. Where the code under test waits for 300
  ///     milliseconds, frames of 100 keep diagrams short. Must be positive.
  public init(_ name: String = "virtual time", frame: Duration = .milliseconds(1)) {
    precondition(frame > .zero, "TestScheduler(frame: \(frame)): a frame must take some time")
    identity = SchedulerIdentity(name: name, kind: .virtualTime)
    self.frame = frame
  }

  /// The virtual time, from zero.
  public var now: Duration { state.withLock { $0.now } }

  /// Pieces of work that wait and were not cancelled.
  public var pendingCount: Int {
    state.withLock { state in state.entries.count { !$0.work.isDisposed } }
  }

  /// Accepts work that is due now, and runs it when the time is moved, at the earliest.
  public func run(_ work: ScheduledWork) { run(work, after: .zero) }

  /// Accepts work that is due when `delay` has passed.
  public func run(_ work: ScheduledWork, after delay: Duration) {
    state.withLock { $0.insert(Entry(time: $0.now + max(delay, .zero), work: work)) }
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
