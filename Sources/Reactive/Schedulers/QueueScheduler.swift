public import Dispatch
import TraceFormat

/// Runs work on a dispatch queue.
public final class QueueScheduler: Scheduler {
  /// The main queue.
  ///
  /// Work is always queued, even if it is scheduled from the main thread.
  public static let main = QueueScheduler(.main, name: "main", kind: .main)

  /// The global concurrent queue of the default quality of service: cold sources that are
  /// subscribed to without a current scheduler start on it (event contract, rule 8).
  ///
  /// Two pieces of work may run at the same time.
  public static let background = QueueScheduler(
    .global(),
    name: "background",
    kind: .concurrentQueue
  )

  /// The queue on which work runs.
  public let queue: DispatchQueue
  /// The scheduler's name and kind.
  public let identity: SchedulerIdentity

  /// Creates a scheduler with a new serial queue.
  ///
  /// - Parameters:
  ///   - label: The queue's name in traces and debuggers.
  ///   - qos: The quality of service of its work.
  ///   - target: The queue whose threads the new queue uses; nil for the system's choice.
  public convenience init(
    label: String,
    qos: DispatchQoS = .unspecified,
    target: DispatchQueue? = nil
  ) {
    self.init(
      DispatchQueue(label: label, qos: qos, target: target),
      name: label,
      kind: .serialQueue
    )
  }

  /// Creates a scheduler with a new concurrent queue: pieces of work may run at the same time.
  ///
  /// Even so, ``Signal/deliver(on:file:line:column:)`` delivers events in order. To run one piece
  /// at a time on the threads of a concurrent queue, make the concurrent queue the `target` of a
  /// serial queue.
  ///
  /// - Parameters:
  ///   - label: The queue's name in traces and debuggers.
  ///   - qos: The quality of service of its work.
  ///   - target: The queue whose threads the new queue uses; nil for the system's choice.
  public convenience init(
    concurrent label: String,
    qos: DispatchQoS = .unspecified,
    target: DispatchQueue? = nil
  ) {
    self.init(
      DispatchQueue(label: label, qos: qos, attributes: .concurrent, target: target),
      name: label,
      kind: .concurrentQueue
    )
  }

  /// Creates a scheduler on an existing queue.
  ///
  /// - Parameters:
  ///   - queue: The queue. It must be serial if the order of events of different subscriptions
  ///     matters.
  ///   - isConcurrent: Whether the queue is concurrent; this cannot be read from a dispatch queue.
  public convenience init(queue: DispatchQueue, isConcurrent: Bool = false) {
    self.init(queue, name: queue.label, kind: isConcurrent ? .concurrentQueue : .serialQueue)
  }

  private init(_ queue: DispatchQueue, name: String, kind: SchedulerKind) {
    self.queue = queue
    identity = SchedulerIdentity(name: name, kind: kind)
  }

  /// Time since the machine started, without the time it slept.
  public var now: Duration { .nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds)) }

  /// Queues `work`, which keeps this scheduler alive until it has run.
  public func run(_ work: ScheduledWork) {
    libraryWork { queue.async { withExtendedLifetime(self) { work.run() } } }
  }

  /// Queues `work` when `delay` has passed.
  public func run(_ work: ScheduledWork, after delay: Duration) {
    queue.runLater(delay) { withExtendedLifetime(self) { work.run() } }
  }

  /// Queues `work` when `delay` has passed, together with other timers that are due within the
  /// leeway.
  public func run(_ work: ScheduledWork, after delay: Duration, leeway: Duration) {
    guard let nanoseconds = delay.dispatchNanoseconds else { return }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + .nanoseconds(nanoseconds),
      leeway: .nanoseconds(leeway.dispatchNanoseconds ?? .max)
    )
    // The handler holds the timer until it has fired.
    libraryWork {
      timer.setEventHandler {
        timer.cancel()
        withExtendedLifetime(self) { work.run() }
      }
    }
    timer.activate()
  }
}

extension DispatchQueue {
  /// Runs `body` when `delay` has passed; never if the delay is 292 years or more.
  func runLater(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
    guard let nanoseconds = delay.dispatchNanoseconds else { return }
    libraryWork { asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: body) }
  }
}

extension Duration {
  /// The number of nanoseconds, at least 0; nil for 292 years and more.
  fileprivate var dispatchNanoseconds: Int? {
    // The components of a duration that is longer still do not fit in their types.
    guard self < .seconds(Int64.max / 1_000_000_000) else { return nil }
    let (seconds, attoseconds) = max(self, .zero).components
    return Int(max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
  }
}

extension Scheduler where Self == QueueScheduler {
  /// The main queue; see ``QueueScheduler/main``.
  public static var main: QueueScheduler { QueueScheduler.main }
  /// The global concurrent queue; see ``QueueScheduler/background``.
  public static var background: QueueScheduler { QueueScheduler.background }
  /// A new serial queue; see ``QueueScheduler/init(label:qos:target:)``.
  public static func queue(_ label: String) -> QueueScheduler { QueueScheduler(label: label) }
}
