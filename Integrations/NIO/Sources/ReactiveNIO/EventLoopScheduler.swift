public import NIOCore
public import Reactive
import ReactiveTrace

/// Runs work on an event loop of NIO: serially, in order, on the loop's thread.
///
/// ```swift
/// requests.deliver(on: channel.eventLoop.scheduler())
///   .subscribe { channel.write($0, promise: nil) }
/// ```
///
/// Work is always queued, even if it is scheduled from the loop itself. A loop that has shut down
/// drops work, which NIO reports on standard error.
public final class EventLoopScheduler: Scheduler {
  /// The event loop on which the work runs.
  public let eventLoop: any EventLoop
  /// The name and the kind of the scheduler in traces.
  public let identity: SchedulerIdentity

  /// Creates a scheduler on an event loop.
  ///
  /// - Parameters:
  ///   - eventLoop: The event loop on which the work runs.
  ///   - name: The name of the scheduler in traces.
  public init(_ eventLoop: any EventLoop, name: String = "EventLoop") {
    self.eventLoop = eventLoop
    identity = SchedulerIdentity(name: name, kind: .serialQueue)
  }

  /// The time of the loop's clock, which is virtual for an `EmbeddedEventLoop`.
  public var now: Duration { .nanoseconds(Int64(clamping: eventLoop.now.uptimeNanoseconds)) }

  /// Queues `work`.
  ///
  /// The scheduler is kept alive until the work has run.
  public func run(_ work: ScheduledWork) {
    // Reactive itself records this hop: the passage of work to another thread.
    Tracer.apart { eventLoop.execute { withExtendedLifetime(self) { work.run() } } }
  }

  /// Queues `work` to run when `delay` has passed.
  ///
  /// Work that is cancelled earlier stays in the loop until the delay has passed, but its closure
  /// is released at once.
  public func run(_ work: ScheduledWork, after delay: Duration) {
    if delay <= .zero { return run(work) }
    _ = Tracer.apart {
      eventLoop.scheduleTask(in: TimeAmount(delay)) { withExtendedLifetime(self) { work.run() } }
    }
  }
}

extension EventLoop {
  /// A scheduler on this loop.
  ///
  /// - Parameter name: The name of the scheduler in traces.
  /// - Returns: A new scheduler; work on two schedulers of the same loop runs in the order in which
  ///   it was scheduled.
  public func scheduler(named name: String = "EventLoop") -> EventLoopScheduler {
    EventLoopScheduler(self, name: name)
  }
}
