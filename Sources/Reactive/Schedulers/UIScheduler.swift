import CReactiveTraceShims
import Dispatch
import TraceFormat

/// Runs work on the main queue: at once if it is scheduled there and nothing waits, otherwise after
/// the work that waits.
///
/// ReactiveSwift has a scheduler of this name; ReactiveCocoa has `deliverOnMainThread`. Work runs
/// in the order in which it was scheduled, no matter from which thread. Work that is scheduled from
/// inside other work of this scheduler runs when the other work has returned, so work that
/// schedules itself uses no stack. For work that must always be queued, use
/// ``QueueScheduler/main``.
///
/// Other work of the main thread is not starved: after 64 pieces of work, or after about a
/// millisecond, the waiting work is queued again, behind the blocks and timers that wait on the
/// main queue. While work itself runs a run loop, as a modal dialog does, work that is scheduled
/// meanwhile runs inside that run loop. (Foundation's run loop does not serve the main queue when
/// it is run from a block of that queue; even so, work of this scheduler runs there, but work of
/// ``QueueScheduler/main`` does not.) The subscription whose handler runs the loop gets its next
/// event when that handler has returned (event contract, rule 3).
public final class UIScheduler: Scheduler {
  /// The only instance.
  public static let shared = UIScheduler()

  /// The scheduler's name and kind.
  public let identity = SchedulerIdentity(name: "ui", kind: .main)

  private struct State: Sendable {
    var waiting = Fifo<ScheduledWork>()
    /// How many pieces of work are running: each except the first runs in a run loop that the
    /// previous one runs.
    var running = 0
    /// Whether a block that runs the waiting work is queued on the main queue.
    var isQueued = false
    /// Whether such a block is queued in Foundation's run loop.
    var isInRunLoop = false

    /// Returns where to queue a block that runs the waiting work, and marks the block as queued
    /// there.
    ///
    /// A block is queued in Foundation's run loop only while work is running: that work may be
    /// running the run loop, which then does not serve the main queue.
    mutating func call() -> Call {
      defer {
        isQueued = true
        if running > 0 { isInRunLoop = true }
      }
      return Call(queue: !isQueued, runLoop: running > 0 && !isInRunLoop)
    }
  }

  /// Where to queue a block that runs the waiting work.
  private struct Call: Sendable {
    var queue = false
    var runLoop = false
  }

  /// How many pieces of work run in one turn, that is, before the waiting work is queued again.
  private static let longestTurn = 64
  /// How long such a turn may take until its last piece of work begins, in nanoseconds.
  private static let longestTime: Int64 = 1_000_000

  private let state = Locked(State())

  private init() {}

  /// The clock of the main queue.
  public var now: Duration { QueueScheduler.main.now }

  /// Runs `work` now if this is the main queue and nothing else runs or waits; otherwise queues it.
  ///
  /// If a loop schedules work, for example because a handler sends to the subject that it observes,
  /// the work is queued after 64 rounds: nothing waits for its result, and the loop may be endless.
  public func run(_ work: ScheduledWork) {
    let mayRunNow = CurrentScheduler.isMain && rxt_thread_state().pointee.looped < Self.longestTurn
    let call = state.withLock { state -> Call? in
      if mayRunNow, state.running == 0, state.waiting.isEmpty {
        state.running = 1
        return nil
      }
      state.waiting.push(work)
      return state.call()
    }
    if let call { answer(call) } else { runTurn(from: work) }
  }

  /// Runs `work` on the main queue when `delay` has passed; like ``run(_:)`` if the delay is zero
  /// or less.
  public func run(_ work: ScheduledWork, after delay: Duration) {
    if delay <= .zero { return run(work) }
    DispatchQueue.main.runLater(delay) { self.run(work) }
  }

  private func answer(_ call: Call) {
    if call.queue {
      libraryWork { DispatchQueue.main.async { self.takeTurn { $0.isQueued = false } } }
    }
    if call.runLoop { MainRunLoop.perform { self.takeTurn { $0.isInRunLoop = false } } }
  }

  private func takeTurn(_ begin: @Sendable (inout State) -> Void) {
    let first = state.withLock { state in
      begin(&state)
      let first = state.waiting.pop()
      if first != nil { state.running += 1 }
      return first
    }
    if let first { runTurn(from: first) }
  }

  /// Runs `first`, and waiting work, for as long as a turn may take.
  private func runTurn(from first: ScheduledWork) {
    let end = Int64(rxt_coarse_nanoseconds()) + Self.longestTime
    var left = Self.longestTurn
    var work = first
    while true {
      work.run()
      left -= 1
      let isOver = left == 0 || Int64(rxt_coarse_nanoseconds()) >= end
      let (next, call) = state.withLock { state in
        let next = isOver ? nil : state.waiting.pop()
        if next != nil { return (next, Call()) }
        state.running -= 1
        return (next, state.waiting.isEmpty ? Call() : state.call())
      }
      guard let next else { return answer(call) }
      work = next
    }
  }
}

extension Scheduler where Self == UIScheduler {
  /// The main queue, at once where possible; see ``UIScheduler``.
  public static var ui: UIScheduler { .shared }
}
