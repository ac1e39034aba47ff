import CReactiveTraceShims
import Dispatch

/// The scheduler on which the calling code runs.
public enum CurrentScheduler {
  /// The scheduler whose work is running now; nil on a thread or a dispatch queue that belongs to
  /// no scheduler.
  ///
  /// For nested work it is the scheduler of the innermost work: within work of an
  /// ``ImmediateScheduler`` it is the immediate scheduler, on any thread. Outside of a scheduler's
  /// work it is ``QueueScheduler/main`` on the main thread and the main queue, and
  /// ``ExecutorScheduler/tasks`` in a Swift task. If there is a current scheduler, a cold source
  /// starts at once (event contract, rule 8). In a callback of a source of the system, such as
  /// `lines(of:)`, there is none, and cold sources start at once nevertheless.
  ///
  /// A recording names only schedulers whose work is running: for a subscription that is made
  /// elsewhere, even on the main thread or in a task, it says "outside of scheduled work".
  public static var scheduler: (any Scheduler)? {
    if let identity { return identity.scheduler }
    if isMain { return QueueScheduler.main }
    return isInTask ? ExecutorScheduler.tasks : nil
  }

  /// Whether a cold source that is subscribed to now starts at once (event contract, rule 8).
  ///
  /// It does if there is a current scheduler, unless the source has to wait until values of another
  /// signal have arrived (``Arrival``).
  @usableFromInline static var startsColdSources: Bool {
    if rxt_thread_state().pointee.arrivals != nil, Arrival.holding != nil { return false }
    return isSet
  }

  /// Whether there is a current scheduler: the main thread, a scheduler's work and a Swift task
  /// have one; a plain thread or dispatch queue does not.
  static var isSet: Bool {
    let thread = rxt_thread_state()
    if thread.pointee.current_scheduler != nil { return true }
    return isMainThread || isInTask || isMainQueue
  }

  /// The identity of the scheduler whose work is running; nil outside of such work, even on the
  /// main thread and in a task.
  static var identity: SchedulerIdentity? {
    guard let pointer = rxt_thread_state().pointee.current_scheduler else { return nil }
    // Unretained, because `run(as:_:)` holds the identity for as long as it is current.
    return Unmanaged<SchedulerIdentity>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Whether this code runs on the main thread or the main queue.
  static var isMain: Bool { isMainThread || isMainQueue }

  private static var isMainThread: Bool {
    let thread = rxt_thread_state()
    if thread.pointee.is_main == 0 { thread.pointee.is_main = rxt_is_main_thread() ? 1 : 2 }
    return thread.pointee.is_main == 1
  }

  /// Whether this code runs on the main queue, which is served by other threads once a program
  /// waits in `dispatchMain` or in an `async` main function.
  private static var isMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueKey) != nil }

  private static let mainQueueKey: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
  }()

  private static var isInTask: Bool { withUnsafeCurrentTask { $0 != nil } }

  /// Runs `body` as work of a scheduler.
  static func run(as identity: SchedulerIdentity, _ body: () -> Void) {
    let outer = rxt_thread_state().pointee.current_scheduler
    withExtendedLifetime(identity) {
      rxt_thread_state().pointee.current_scheduler = Unmanaged.passUnretained(identity).toOpaque()
      body()
      rxt_thread_state().pointee.current_scheduler = outer
    }
  }
}
