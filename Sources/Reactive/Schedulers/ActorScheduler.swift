import Dispatch
import TraceFormat

/// Runs work on an actor, one piece after another in the order in which it was scheduled.
///
/// ```swift
/// let store = Store()                      // an actor
/// events.deliver(on: ActorScheduler(store)).subscribe { event in
///   store.assumeIsolated { $0.apply(event) }
/// }
/// ```
///
/// Work that is scheduled while other work runs is left to another task, so that other callers can
/// use the actor in between.
public final class ActorScheduler: Scheduler {
  /// The main actor.
  ///
  /// Work is always queued; ``UIScheduler`` runs it at once if possible.
  public static let mainActor = ActorScheduler(MainActor.shared, name: "main actor")

  /// The scheduler's name and kind.
  public let identity: SchedulerIdentity

  private let actor: any Actor
  private let priority: TaskPriority?
  private let queue = WorkQueue()

  /// Creates a scheduler on an actor, and keeps the actor alive.
  ///
  /// - Parameters:
  ///   - actor: Where the work runs.
  ///   - name: The scheduler's name in traces.
  ///   - priority: The priority of the tasks that run the work.
  public init(_ actor: any Actor, name: String = "actor", priority: TaskPriority? = nil) {
    self.actor = actor
    self.priority = priority
    identity = SchedulerIdentity(name: name, kind: actor is MainActor ? .main : .serialQueue)
  }

  /// Creates a scheduler on the executor of an actor.
  ///
  /// - Parameters:
  ///   - executor: Where the work runs.
  ///   - name: The scheduler's name in traces.
  ///   - priority: The priority of the tasks that run the work.
  public convenience init(
    executor: any SerialExecutor,
    name: String = "executor",
    priority: TaskPriority? = nil
  ) {
    self.init(Resident(of: executor), name: name, priority: priority)
  }

  /// The monotonic clock.
  public var now: Duration { QueueScheduler.background.now }

  /// Queues `work`.
  public func run(_ work: ScheduledWork) { if queue.enter(work) { startTask() } }

  /// Queues `work` when `delay` has passed.
  public func run(_ work: ScheduledWork, after delay: Duration) {
    if delay <= .zero { return run(work) }
    DispatchQueue.global().runLater(delay) { self.run(work) }
  }

  private func startTask() {
    libraryWork {
      _ = Task.detached(priority: priority) { [self] in await runQueuedWork(on: actor) }
    }
  }

  private func runQueuedWork(on actor: isolated any Actor) {
    for work in queue.takeAll() { work.run() }
    if queue.finishBatch() { startTask() }
  }
}

/// An actor on a given executor.
private actor Resident {
  private let executor: any SerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  init(of executor: any SerialExecutor) { self.executor = executor }
}

/// Queued work in order, and whether a task has been started that runs it.
private struct WorkQueue: ~Copyable, Sendable {
  private struct State: Sendable {
    var waiting: [ScheduledWork] = []
    var isBusy = false
  }

  private let state = Locked(State())

  /// Queues work; returns whether the caller must start a task that runs the queue.
  borrowing func enter(_ work: ScheduledWork) -> Bool {
    state.withLock { state in
      state.waiting.append(work)
      defer { state.isBusy = true }
      return !state.isBusy
    }
  }

  borrowing func takeAll() -> [ScheduledWork] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// Returns whether more work has come; if not, the caller of the next `enter` has to start a
  /// task.
  borrowing func finishBatch() -> Bool {
    state.withLock { state in
      state.isBusy = !state.waiting.isEmpty
      return state.isBusy
    }
  }
}

extension Scheduler where Self == ActorScheduler {
  /// The main actor; see ``ActorScheduler/mainActor``.
  public static var mainActor: ActorScheduler { ActorScheduler.mainActor }
}
