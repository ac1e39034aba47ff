import Dispatch
import TraceFormat

/// Runs each piece of work in a separate Swift task, on a task executor or on Swift's own threads.
///
/// Concurrent: two pieces may run at the same time, and in any order. (Even so,
/// ``Signal/deliver(on:file:line:column:)`` keeps events in order.)
public final class ExecutorScheduler: Scheduler {
  /// The threads on which Swift runs its tasks.
  public static let tasks = ExecutorScheduler(name: "tasks")

  /// The scheduler's name and kind.
  public let identity: SchedulerIdentity

  private let executor: (any TaskExecutor)?
  private let priority: TaskPriority?

  /// Creates a scheduler on a task executor.
  ///
  /// - Parameters:
  ///   - executor: Where the tasks run; nil for Swift's own threads.
  ///   - name: The scheduler's name in traces.
  ///   - priority: The priority of the tasks.
  public init(
    _ executor: (any TaskExecutor)? = nil,
    name: String = "executor",
    priority: TaskPriority? = nil
  ) {
    self.executor = executor
    self.priority = priority
    identity = SchedulerIdentity(name: name, kind: .concurrentQueue)
  }

  /// The monotonic clock.
  public var now: Duration { QueueScheduler.background.now }

  /// Starts a task that runs `work`.
  public func run(_ work: ScheduledWork) {
    libraryWork {
      _ = Task.detached(executorPreference: executor, priority: priority) { [self] in
        withExtendedLifetime(self) { work.run() }
      }
    }
  }

  /// Starts a task that runs `work` when `delay` has passed.
  public func run(_ work: ScheduledWork, after delay: Duration) {
    if delay <= .zero { return run(work) }
    DispatchQueue.global().runLater(delay) { self.run(work) }
  }
}
