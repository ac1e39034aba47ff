import Reactive
import ReactiveTrace

/// A manual clock that is too eager: its first timers fire inside `run(_:after:)`, before the call that arms them
/// returns, and before they are due.
///
/// With real threads this happens once in a million times; here it happens every time.
final class EagerClock: Scheduler {
  let identity = SchedulerIdentity(name: "eager", kind: .other)

  private struct State: Sendable {
    var now: Duration = .zero
    var eager: Int
    var work: [ScheduledWork] = []
  }

  private let state: Locked<State>

  /// - Parameter eager: How many timers fire immediately; later ones wait for ``runNext(at:)``.
  init(eager: Int) { state = Locked(State(eager: eager)) }

  var now: Duration {
    get { state.withLock { $0.now } }
    set { state.withLock { $0.now = newValue } }
  }

  /// The number of pieces of work that are pending and were not cancelled.
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

  /// Sets the time and runs the oldest work.
  func runNext(at time: Duration) {
    let work = state.withLock { state in
      state.now = time
      return state.work.isEmpty ? nil : state.work.removeFirst()
    }
    work?.run()
  }
}
