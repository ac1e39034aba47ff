import Reactive
import ReactiveTrace

/// Runs work immediately if it is scheduled while other work runs; any other work waits for
/// `runNext()`.
final class ReentrantScheduler: Scheduler {
  let identity = SchedulerIdentity(name: "reentrant", kind: .other)

  private struct State: Sendable {
    var isRunning = false
    var work: [ScheduledWork] = []
  }

  private let state = Locked(State())

  var now: Duration { .zero }

  func run(_ work: ScheduledWork) {
    let isNested = state.withLock { state in
      if !state.isRunning { state.work.append(work) }
      return state.isRunning
    }
    if isNested { work.run() }
  }

  func run(_ work: ScheduledWork, after delay: Duration) { run(work) }

  func runNext() {
    let work = state.withLock { state -> ScheduledWork? in
      state.isRunning = true
      return state.work.isEmpty ? nil : state.work.removeFirst()
    }
    work?.run()
    state.withLock { $0.isRunning = false }
  }
}
