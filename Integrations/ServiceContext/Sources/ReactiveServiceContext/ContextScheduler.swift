public import Reactive
import ReactiveTrace
import ServiceContextModule

/// A scheduler whose work runs with the `ServiceContext` of where it was scheduled: trace identifiers and other baggage
/// survive the hop.
///
/// ```swift
/// requests.deliver(on: QueueScheduler(label: "work").carryingServiceContext())
/// ```
///
/// Tasks inherit the context by themselves; queues, event loops and run loops lose it. Work that is scheduled where
/// there is no context runs without one. Operators that gather events and schedule once for several, as
/// `deliver(on:)`, run with the context of the first; for a context for each subscription there is
/// `withServiceContext`.
public final class ContextScheduler: Scheduler {
  /// The scheduler that runs the work.
  public let base: any Scheduler
  /// Named after the base; in traces each piece of work is a hop of this and one of the base.
  public let identity: SchedulerIdentity

  /// A scheduler that carries the context to another.
  public init(_ base: some Scheduler) {
    self.base = base
    identity = SchedulerIdentity(name: base.identity.name + " + context", kind: base.identity.kind)
  }

  /// The clock of the base.
  public var now: Duration { base.now }

  /// Hands `work` to the base.
  public func run(_ work: ScheduledWork) {
    base.schedule(Self.carrying { withExtendedLifetime(self) { work.run() } })
  }

  /// Hands `work` to the base, to run when `delay` has passed.
  ///
  /// Work that is cancelled before stays there until then, empty.
  public func run(_ work: ScheduledWork, after delay: Duration) {
    if delay <= .zero { return run(work) }
    base.schedule(
      after: delay,
      Self.carrying { withExtendedLifetime(self) { work.run() } }
    )
  }

  private static func carrying(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard let context = ServiceContext.current else { return work }
    return { ServiceContext.withValue(context, operation: work) }
  }
}

extension Scheduler {
  /// This scheduler, with the `ServiceContext` of where work is scheduled.
  ///
  /// - Returns: A new scheduler on this one.
  public func carryingServiceContext() -> ContextScheduler { ContextScheduler(self) }
}
