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
/// `QueueScheduler.main` is right more often. Where nobody runs the loop, nothing happens.
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
  private let waiting = Locked<[ScheduledWork]>([])

  /// A scheduler on a run loop.
  ///
  /// - Parameters:
  ///   - runLoop: That of the thread where the work is to run.
  ///   - mode: Where it runs in other modes, work waits.
  ///   - name: What it is called in traces.
  public init(_ runLoop: RunLoop, mode: RunLoop.Mode = .default, name: String = "run loop") {
    self.runLoop = runLoop
    self.mode = mode
    identity = SchedulerIdentity(name: name, kind: .serialQueue)
  }

  /// The monotonic clock.
  public var now: Duration { QueueScheduler.main.now }

  /// Queues `work`, and wakes the loop.
  public func run(_ work: ScheduledWork) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(work)
      return waiting.count == 1
    }
    // A block (`perform`) would not wake a loop of another thread.
    if isFirst { arm(0) { self.workOff() } }
  }

  /// Queues `work` when `delay` has passed.
  public func run(_ work: ScheduledWork, after delay: Duration) {
    if delay <= .zero { return run(work) }
    let (seconds, attoseconds) = delay.components
    arm(Double(seconds) + Double(attoseconds) / 1e18) { work.run() }
  }

  private func arm(_ seconds: TimeInterval, _ body: @escaping @Sendable () -> Void) {
    runLoop.add(Timer(timeInterval: seconds, repeats: false) { _ in body() }, forMode: mode)
  }

  /// Runs what has come so far; what comes meanwhile gets a timer of its own.
  private func workOff() {
    let works = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for work in works { work.run() }
  }
}
