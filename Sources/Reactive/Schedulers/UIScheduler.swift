import Dispatch
import ReactiveTrace

/// Runs work on the main queue: at once where it is scheduled there and nothing waits, otherwise in its
/// turn.
///
/// ReactiveSwift's scheduler of this name, RAC's `deliverOnMainThread`. The order in which work was
/// scheduled is kept, from wherever. Work that is scheduled from inside other work of this scheduler runs
/// when that has returned, so that what feeds itself takes no stack. For work that always waits for its
/// turn there is ``QueueScheduler/main``.
public final class UIScheduler: Scheduler {
  /// The one there is.
  public static let shared = UIScheduler()

  /// Its name and kind.
  public let identity = SchedulerIdentity(name: "ui", kind: .main)

  private struct State: Sendable {
    var waiting = Fifo<ScheduledWork>()
    /// Somebody works the queue off, or will.
    var isBusy = false
  }

  private let state = Locked(State())

  private init() {}

  /// The clock of the main queue.
  public var now: Duration { QueueScheduler.main.now }

  /// Runs `work` now, if this is the main queue and nothing else waits, or queues it.
  public func run(_ work: ScheduledWork) {
    let isMain = CurrentScheduler.isMain
    let isFirst = state.withLock { state in
      state.waiting.push(work)
      defer { state.isBusy = true }
      return !state.isBusy
    }
    guard isFirst else { return }
    if isMain { workOff() } else { DispatchQueue.main.async { self.workOff() } }
  }

  /// Runs `work` on the main queue when `delay` has passed; as ``run(_:)`` if there is none.
  public func run(_ work: ScheduledWork, after delay: Duration) {
    if delay <= .zero { return run(work) }
    DispatchQueue.main.runLater(delay) { self.run(work) }
  }

  private func workOff() {
    while let work = next() { work.run() }
  }

  private func next() -> ScheduledWork? {
    state.withLock { state in
      let work = state.waiting.pop()
      if work == nil { state.isBusy = false }
      return work
    }
  }
}

extension Scheduler where Self == UIScheduler {
  /// The main queue, at once where possible; see ``UIScheduler``.
  public static var ui: UIScheduler { .shared }
}
