import Reactive
import ReactiveTrace

/// A scheduler that can be late: the test chooses when work runs, and what time it is then.
final class ManualClock: Scheduler {
  let identity = SchedulerIdentity(name: "manual", kind: .other)

  private struct State: Sendable {
    var now: Duration = .zero
    var work: [(work: ScheduledWork, delay: Duration)] = []
  }

  private let state = Locked(State())

  var now: Duration { state.withLock { $0.now } }

  /// The delay of the work that runs next.
  var nextDelay: Duration? { state.withLock { $0.work.first?.delay } }

  func run(_ work: ScheduledWork) { run(work, after: .zero) }

  func run(_ work: ScheduledWork, after delay: Duration) {
    state.withLock { $0.work.append((work, delay)) }
  }

  /// Sets the time and runs the oldest work, due or not.
  func runNext(at time: Duration) {
    let work = state.withLock { state in
      state.now = time
      return state.work.isEmpty ? nil : state.work.removeFirst().work
    }
    work?.run()
  }
}
