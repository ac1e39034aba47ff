internal import Glibc
import TraceFormat

/// Runs work on the thread that schedules it: at once, or after the work of this scheduler that the
/// thread is running.
///
/// So recursion becomes iteration, and work that schedules itself uses no stack. RxSwift calls this
/// scheduler `CurrentThreadScheduler`.
///
/// ```swift
/// TrampolineScheduler.shared.schedule {
///   TrampolineScheduler.shared.schedule { print("second") }
///   print("first")
/// }
/// ```
public final class TrampolineScheduler: Scheduler {
  /// The only instance; each thread has a separate queue.
  public static let shared = TrampolineScheduler()

  /// The scheduler's name and kind.
  public let identity = SchedulerIdentity(name: "trampoline", kind: .immediate)

  /// The work of one thread.
  private final class Queue {
    var waiting = Fifo<ScheduledWork>()
  }

  /// The key under which a thread that runs work of this scheduler keeps its ``Queue``.
  private let key: pthread_key_t

  private init() {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    precondition(status == 0, "TrampolineScheduler: no thread-local key is left: error \(status)")
    self.key = key
  }

  /// The monotonic clock.
  public var now: Duration { QueueScheduler.background.now }

  /// Runs `work` before this method returns, or queues it if this thread is running other work of
  /// this scheduler.
  public func run(_ work: ScheduledWork) {
    if let pointer = pthread_getspecific(key) {
      // Held by the outermost call, which clears the pointer before it returns.
      Unmanaged<Queue>.fromOpaque(pointer).takeUnretainedValue().waiting.push(work)
      return
    }
    let queue = Queue()
    pthread_setspecific(key, Unmanaged.passUnretained(queue).toOpaque())
    work.run()
    while let next = queue.waiting.pop() { next.run() }
    pthread_setspecific(key, nil)
  }

  /// Runs `work` on the background scheduler when `delay` has passed; like ``run(_:)`` if the delay
  /// is zero or less.
  public func run(_ work: ScheduledWork, after delay: Duration) {
    if delay <= .zero { return run(work) }
    QueueScheduler.background.run(work, after: delay)
  }
}

extension Scheduler where Self == TrampolineScheduler {
  /// Runs work on the calling thread, after the work that scheduled it.
  public static var trampoline: TrampolineScheduler { .shared }
}
