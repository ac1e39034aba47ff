import CReactiveTraceShims
import Glibc
import ReactiveTrace
import Synchronization

/// A thread that runs a closure, outside of dispatch and of the cooperative pool.
struct Thread {
  private final class Work {
    let name: String
    let run: @Sendable () -> Void

    init(_ name: String, _ run: @escaping @Sendable () -> Void) {
      self.name = name
      self.run = run
    }
  }

  private let work: Work

  init(named name: String, _ run: @escaping @Sendable () -> Void) { work = Work(name, run) }

  /// Starts the thread; returns false if the system cannot create another one.
  func start() -> Bool {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(work)
    let failure = Tracer.apart {
      pthread_create(
        &thread,
        nil,
        { context in
          guard let context else { return nil }
          let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
          rxt_name_thread(work.name)
          work.run()
          return nil
        },
        context.toOpaque()
      )
    }
    guard failure == 0 else {
      context.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}

/// Runs the jobs of tasks on a separate thread, one at a time, until the executor is released.
final class WatchThread: TaskExecutor, @unchecked Sendable {
  // Unchecked because of `waiting`, a semaphore that counts the queued jobs.
  private let jobs: Mutex<[UnownedJob]>
  private let waiting: UnsafeMutablePointer<sem_t>

  init(named name: String) {
    jobs = Mutex([])
    waiting = .allocate(capacity: 1)
    sem_init(waiting, 0, 0)
    let context = WorkerContext(waiting: waiting)
    context.executor = self
    let thread = Thread(named: name) { context.work() }
    precondition(
      thread.start(),
      "the system can start no more threads, and one is needed to watch a test"
    )
  }

  deinit {
    // Wakes the thread, which ends when it finds no executor.
    sem_post(waiting)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    sem_post(waiting)
  }

  /// The thread's weak reference to its executor, and the semaphore.
  private final class WorkerContext: @unchecked Sendable {
    weak var executor: WatchThread?
    let waiting: UnsafeMutablePointer<sem_t>

    init(waiting: UnsafeMutablePointer<sem_t>) { self.waiting = waiting }

    func work() {
      while true {
        while sem_wait(waiting) != 0 {}
        guard let executor else { break }
        let job = executor.jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        job?.runSynchronously(on: executor.asUnownedTaskExecutor())
      }
      sem_destroy(waiting)
      waiting.deallocate()
    }
  }
}
