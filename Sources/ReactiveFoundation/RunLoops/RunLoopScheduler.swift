public import Foundation
public import Reactive
import ReactiveTrace

/// Runs work on a Foundation run loop: serially, in order, on the thread that runs the loop.
///
/// ```swift
/// Signal.interval(.seconds(1), on: RunLoopScheduler.main)     // a Foundation timer
/// ```
///
/// Use it for threads that are driven by a run loop. For the main thread `QueueScheduler.main` is
/// usually the better choice, since the main queue is served by both a run loop and `dispatchMain`.
/// If no thread runs the loop, no work runs. Work that runs the loop itself, to wait for other work
/// of this scheduler, waits for ever, because the scheduler is serial.
public final class RunLoopScheduler: Scheduler {
  /// The run loop of the main thread.
  public static let main = RunLoopScheduler(.main, name: "main run loop")

  /// The run loop that runs the work.
  ///
  /// Unsafe, because run loops are not thread-safe in general; but timers may be added from any
  /// thread.
  public nonisolated(unsafe) let runLoop: RunLoop
  /// The scheduler's name and kind.
  public let identity: SchedulerIdentity

  private let mode: RunLoop.Mode
  private let waiting: SharedWork
  /// The scheduler's only timer: Foundation never frees a timer, so one for each piece of work
  /// would leak.
  ///
  /// Unsafe, because timers are not sendable; the timer's date is changed only with the lock held.
  private nonisolated(unsafe) let timer: Timer

  /// Creates a scheduler on a run loop.
  ///
  /// With its first work, the scheduler adds a timer to the loop. While the scheduler exists, the
  /// loop therefore does not return for lack of timers.
  ///
  /// - Parameters:
  ///   - runLoop: The run loop of the thread where the work is to run.
  ///   - mode: The mode in which work runs; while the loop runs in another mode, work waits.
  ///   - name: The scheduler's name in traces.
  public init(_ runLoop: RunLoop, mode: RunLoop.Mode = .default, name: String = "run loop") {
    self.runLoop = runLoop
    self.mode = mode
    identity = SchedulerIdentity(name: name, kind: .serialQueue)
    let waiting = SharedWork()
    self.waiting = waiting
    // The timer repeats, so that it can be given another date when it has fired.
    timer = Timer(fire: .distantFuture, interval: 1e9, repeats: true) { timer in
      Self.runDueWork(waiting, timer)
    }
  }

  deinit { timer.invalidate() }

  /// The monotonic clock.
  public var now: Duration { QueueScheduler.main.now }

  /// Queues `work`, and wakes the loop.
  public func run(_ work: ScheduledWork) { run(work, after: .zero) }

  /// Queues `work` to run when `delay` has passed.
  ///
  /// - Complexity: O(log *n*) comparisons where *n* pieces of work are pending, and O(1) for work
  ///   that is due last.
  public func run(_ work: ScheduledWork, after delay: Duration) {
    waiting.state.withLock { state in
      if state.keeper == nil { state.keeper = self }
      if !state.isAdded {
        state.isAdded = true
        runLoop.add(timer, forMode: mode)
      }
      if state.insert(work, due: now + max(delay, .zero)) { state.arm(timer, now: now) }
    }
  }

  /// Runs the work that is due; work that is scheduled meanwhile runs in the next iteration of the
  /// loop.
  private static func runDueWork(_ waiting: SharedWork, _ timer: Timer) {
    let now = QueueScheduler.main.now
    let due = waiting.state.withLock { $0.take(until: now) }
    for work in due { work.run() }
    // Released outside the lock, because this may free the scheduler, whose `deinit` invalidates
    // the timer.
    let keeper = waiting.state.withLock { state in
      state.arm(timer, now: QueueScheduler.main.now)
      return state.work.isEmpty ? state.keeper.take() : nil
    }
    withExtendedLifetime(keeper) {}
  }
}

/// The pending work, behind a lock that the timer's closure and the scheduler share.
private final class SharedWork: Sendable {
  let state = Locked(WaitingWork())
}

private struct WaitingWork: Sendable {
  /// The pending work in the order of its due times; work with the same due time, in the order in
  /// which it was scheduled.
  var work: [(due: Duration, work: ScheduledWork)] = []
  /// The scheduler, retained while there is work: otherwise it could be freed before the work has
  /// run.
  var keeper: RunLoopScheduler?
  var isAdded = false

  /// Inserts work; returns true if it is now the first that is due.
  mutating func insert(_ new: ScheduledWork, due: Duration) -> Bool {
    var (low, high) = (0, work.count)
    // Most new work is due after all pending work.
    if let last = work.last, last.due <= due { low = high }
    while low < high {
      let middle = low + (high - low) / 2
      if work[middle].due <= due { low = middle + 1 } else { high = middle }
    }
    work.insert((due, new), at: low)
    return low == 0
  }

  mutating func take(until now: Duration) -> [ScheduledWork] {
    let count = work.firstIndex { $0.due > now } ?? work.count
    let due = work.prefix(count).map(\.work)
    work.removeFirst(count)
    return due
  }

  /// Sets the timer to the due time of the first work, which also wakes the loop.
  ///
  /// Called with the lock held: otherwise an older date could replace a newer one. Setting the date
  /// takes the loop's lock, and none of this library's code runs while that is held, so the two
  /// locks cannot deadlock.
  func arm(_ timer: Timer, now: Duration) {
    guard let first = work.first else {
      timer.fireDate = .distantFuture
      return
    }
    timer.fireDate = Date(timeIntervalSinceNow: max(0, (first.due - now) / .seconds(1)))
  }
}
