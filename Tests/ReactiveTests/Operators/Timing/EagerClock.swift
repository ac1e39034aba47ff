import Reactive
import ReactiveTrace

/// A manual clock whose first timers fire too early: inside `run(_:after:)`, before the call that
/// arms them returns, and before they are due.
///
/// On real threads a timer rarely fires before that call returns; here it always does.
final class EagerClock: Scheduler {
  let identity = SchedulerIdentity(name: "eager", kind: .other)

  private struct State: Sendable {
    var now: Duration = .zero
    var eager: Int
    var work: [ScheduledWork] = []
  }

  private let state: Locked<State>

  /// - Parameter eager: How many timers fire too early; later ones wait for ``runNext(at:)``.
  init(eager: Int) { state = Locked(State(eager: eager)) }

  var now: Duration {
    get { state.withLock { $0.now } }
    set { state.withLock { $0.now = newValue } }
  }

  /// The number of pieces of work that are pending and have not been cancelled.
  var pendingCount: Int { state.withLock { $0.work.count { !$0.isDisposed } } }

  func run(_ work: ScheduledWork) { state.withLock { $0.work.append(work) } }

  func run(_ work: ScheduledWork, after delay: Duration) {
    let isEager = state.withLock { state in
      if state.eager == 0 {
        state.work.append(work)
        return false
      }
      state.eager -= 1
      return true
    }
    if isEager { work.run() }
  }

  /// Sets the time and runs the piece of work that was scheduled first.
  func runNext(at time: Duration) {
    let work = state.withLock { state in
      state.now = time
      return state.work.isEmpty ? nil : state.work.removeFirst()
    }
    work?.run()
  }
}
