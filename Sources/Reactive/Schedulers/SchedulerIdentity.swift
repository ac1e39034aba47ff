public import TraceFormat
import Synchronization

/// The name and kind of a scheduler, and its number in the trace.
public final class SchedulerIdentity: Sendable {
  private struct Owner: Sendable {
    weak var scheduler: (any Scheduler)?
  }

  /// The scheduler's name in traces.
  public let name: String
  /// How the scheduler runs its work.
  public let kind: SchedulerKind
  /// The scheduler's number in the scheduler table of the trace; 0 if it has no number yet.
  let number = Locked<UInt32>(0)
  private let owner = Locked(Owner())
  private let hasOwner = Atomic<Bool>(false)

  /// Creates the identity of a scheduler.
  ///
  /// Nothing is recorded before the identity is first used while a trace is recorded.
  public init(name: String, kind: SchedulerKind) {
    self.name = name
    self.kind = kind
  }

  /// The scheduler with this identity; nil once the scheduler has been released.
  var scheduler: (any Scheduler)? { owner.withLock { $0.scheduler } }

  /// Stores the scheduler that has this identity, unless one is stored already.
  func belongs(to scheduler: some Scheduler) {
    if hasOwner.load(ordering: .acquiring) { return }
    owner.withLock { if $0.scheduler == nil { $0.scheduler = scheduler } }
    hasOwner.store(true, ordering: .releasing)
  }
}
