public import Foundation
public import Reactive
import ReactiveTrace

/// Runs work on a run loop of Foundation: serial, in order, on the thread that runs it.
///
/// ```swift
/// Signal.interval(.seconds(1), on: RunLoopScheduler.main)     // a Foundation timer
/// ```
///
/// For threads that live in a run loop. The main queue serves both a run loop and `dispatchMain`, so that
/// `QueueScheduler.main` is right more often. Where nobody runs the loop, nothing happens. Work that runs the loop
/// itself waits in vain for other work of the scheduler, which is serial.
public final class RunLoopScheduler: Scheduler {
  /// The run loop of the main thread.
  public static let main = RunLoopScheduler(.main, name: "main run loop")

  /// The run loop it runs on.
  ///
  /// Unsafe, because run loops are not for other threads in general; but timers may be added from any.
  public nonisolated(unsafe) let runLoop: RunLoop
  /// Its name and kind.
  public let identity: SchedulerIdentity

  private let mode: RunLoop.Mode
  private let waiting: SharedWork
  /// The one timer it has: Foundation never frees a timer, so that one for each piece of work would be a leak.
  ///
  /// Unsafe, because timers are not sendable: its date is changed with the lock held.
  private nonisolated(unsafe) let timer: Timer

  /// A scheduler on a run loop.
  ///
  /// From its first work on the loop has something to wait for: it is not left for want of timers while the scheduler
  /// exists.
  ///
  /// - Parameters:
  ///   - runLoop: That of the thread where the work is to run.
  ///   - mode: Where it runs in other modes, work waits.
  ///   - name: What it is called in traces.
  public init(_ runLoop: RunLoop, mode: RunLoop.Mode = .default, name: String = "run loop") {
    self.runLoop = runLoop
    self.mode = mode
    identity = SchedulerIdentity(name: name, kind: .serialQueue)
    let waiting = SharedWork()
    self.waiting = waiting
    // It repeats, so that it can be given another date when it has fired.
    timer = Timer(fire: .distantFuture, interval: 1e9, repeats: true) { timer in
      Self.workOff(waiting, timer)
    }
  }

  deinit { timer.invalidate() }

  /// The monotonic clock.
  public var now: Duration { QueueScheduler.main.now }

  /// Queues `work`, and wakes the loop.
  public func run(_ work: ScheduledWork) { run(work, after: .zero) }

  /// Queues `work` when `delay` has passed.
  ///
  /// - Complexity: O(log *n*) comparisons where *n* pieces of work wait, and O(1) for work that is due last.
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

  /// Runs what is due; what comes meanwhile is for the next turn of the loop.
  private static func workOff(_ waiting: SharedWork, _ timer: Timer) {
    let now = QueueScheduler.main.now
    let due = waiting.state.withLock { $0.take(until: now) }
    for work in due { work.run() }
    // Released outside the lock: with the scheduler goes its timer.
    let keeper = waiting.state.withLock { state in
      state.arm(timer, now: QueueScheduler.main.now)
      return state.work.isEmpty ? state.keeper.take() : nil
    }
    withExtendedLifetime(keeper) {}
  }
}

/// What waits, behind a lock that the timer's closure and the scheduler share.
private final class SharedWork: Sendable {
  let state = Locked(WaitingWork())
}

private struct WaitingWork: Sendable {
  /// In the order in which it is due; what is due at the same time, in the order in which it came.
  var work: [(due: Duration, work: ScheduledWork)] = []
  /// The scheduler, while there is work: it may be released before that has run.
  var keeper: RunLoopScheduler?
  var isAdded = false

  /// True if it is the first that is due.
  mutating func insert(_ new: ScheduledWork, due: Duration) -> Bool {
    var (low, high) = (0, work.count)
    // Most is due last.
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

  /// Gives the timer the time at which the first is due; it wakes the loop.
  ///
  /// With the lock held, or an older date could overtake a newer one. The timer takes the loop's lock meanwhile, under
  /// which nothing of ours runs.
  func arm(_ timer: Timer, now: Duration) {
    guard let first = work.first else {
      timer.fireDate = .distantFuture
      return
    }
    timer.fireDate = Date(timeIntervalSinceNow: max(0, (first.due - now) / .seconds(1)))
  }
}
