public import NIOCore
public import Reactive
import ReactiveTrace

/// Runs work on an event loop of NIO: serial, in order, on the loop's thread.
///
/// ```swift
/// requests.deliver(on: channel.eventLoop.scheduler()).subscribe { channel.write($0, promise: nil) }
/// ```
///
/// Work is always queued, also where it is scheduled from the loop itself. A loop that has shut down drops work; NIO
/// says so on standard error.
public final class EventLoopScheduler: Scheduler {
  /// The loop it runs on.
  public let eventLoop: any EventLoop
  /// Its name and kind.
  public let identity: SchedulerIdentity

  /// A scheduler on an event loop.
  ///
  /// - Parameters:
  ///   - eventLoop: Where the work runs.
  ///   - name: What it is called in traces.
  public init(_ eventLoop: any EventLoop, name: String = "EventLoop") {
    self.eventLoop = eventLoop
    identity = SchedulerIdentity(name: name, kind: .serialQueue)
  }

  /// The clock of the loop: that of an `EmbeddedEventLoop` is virtual.
  public var now: Duration { .nanoseconds(Int64(clamping: eventLoop.now.uptimeNanoseconds)) }

  /// Queues `work`, and is kept alive until it has run.
  public func run(_ work: ScheduledWork) {
    // The work is recorded as a separate hop.
    Tracer.apart { eventLoop.execute { withExtendedLifetime(self) { work.run() } } }
  }

  /// Queues `work` when `delay` has passed.
  ///
  /// Work that is cancelled before stays with the loop until then, empty.
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
  /// - Parameter name: What it is called in traces.
  /// - Returns: A new one; two of the same loop keep each other's order.
  public func scheduler(named name: String = "EventLoop") -> EventLoopScheduler {
    EventLoopScheduler(self, name: name)
  }
}
