public import Reactive
import ReactiveTrace
import ServiceContextModule

/// A scheduler whose work runs with the `ServiceContext` that was current when the work was
/// scheduled: trace identifiers and other context are kept when work passes to another thread.
///
/// ```swift
/// requests.deliver(on: QueueScheduler(label: "work").carryingServiceContext())
/// ```
///
/// Tasks inherit the context by themselves; queues, event loops and run loops lose it. Work that is
/// scheduled without a context runs without one. Operators that gather several events and schedule
/// once for all of them, such as `deliver(on:)`, run with the context of the first event. For a
/// context per subscription, use `withServiceContext`.
public final class ContextScheduler: Scheduler {
  /// The scheduler that runs the work.
  public let base: any Scheduler
  /// The identity, named after the base scheduler.
  ///
  /// Traces show each piece of work twice, as a hop (a passage of work to where it runs) of this
  /// scheduler and as a hop of the base scheduler.
  public let identity: SchedulerIdentity

  /// Creates a scheduler that carries the context to another scheduler.
  public init(_ base: some Scheduler) {
    self.base = base
    identity = SchedulerIdentity(name: base.identity.name + " + context", kind: base.identity.kind)
  }

  /// The time of the base scheduler's clock.
  public var now: Duration { base.now }

  /// Schedules `work` on the base scheduler.
  public func run(_ work: ScheduledWork) {
    base.schedule(Self.capturingContext { withExtendedLifetime(self) { work.run() } })
  }

  /// Schedules `work` on the base scheduler, to run when `delay` has passed.
  ///
  /// Work that is cancelled earlier stays in the base scheduler until the delay has passed, but its
  /// closure is released at once.
  public func run(_ work: ScheduledWork, after delay: Duration) {
    if delay <= .zero { return run(work) }
    base.schedule(
      after: delay,
      Self.capturingContext { withExtendedLifetime(self) { work.run() } }
    )
  }

  private static func capturingContext(_ work: @escaping @Sendable () -> Void)
    -> @Sendable () -> Void
  {
    // Without a context, too: the base scheduler may run the work inside work that has one.
    let context = ServiceContext.current
    return { ServiceContext.$current.withValue(context, operation: work) }
  }
}

extension Scheduler {
  /// This scheduler, with the `ServiceContext` that is current when work is scheduled.
  ///
  /// - Returns: A new scheduler that runs its work on this scheduler.
  public func carryingServiceContext() -> ContextScheduler { ContextScheduler(self) }
}
