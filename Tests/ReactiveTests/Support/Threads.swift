import Glibc
import Reactive
import Synchronization

/// Runs `body` on `count` new threads, which have no current scheduler, and waits for all of them.
func onPlainThreads(_ count: Int, _ body: @escaping @Sendable (_ index: Int) -> Void) {
  var threads: [pthread_t] = []
  for index in 0..<count {
    let box = Unmanaged.passRetained(ThreadBody { body(index) })
    var thread = pthread_t()
    let status = pthread_create(&thread, nil, startThread, box.toOpaque())
    precondition(status == 0, "no thread could be made: error \(status)")
    threads.append(thread)
  }
  for thread in threads { pthread_join(thread, nil) }
}

/// Runs `body` on a thread without a current scheduler, and waits for it.
func onPlainThread(_ body: @escaping @Sendable () -> Void) { onPlainThreads(1) { _ in body() } }

/// Runs `body` on a thread with a small stack, and waits for it.
///
/// The stack has 512 KiB, the smallest size that a worker thread's stack has, or 2 MiB if a
/// sanitizer makes each frame large.
func onASmallStack(_ body: @escaping @Sendable () -> Void) {
  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  defer { attributes.deallocate() }
  pthread_attr_init(attributes)
  pthread_attr_setstacksize(attributes, isShallow ? 2 << 20 : 512 << 10)
  let box = Unmanaged.passRetained(ThreadBody(body))
  var thread = pthread_t()
  let status = pthread_create(&thread, attributes, startThread, box.toOpaque())
  precondition(status == 0, "no thread could be made: error \(status)")
  pthread_join(thread, nil)
  pthread_attr_destroy(attributes)
}

private func startThread(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let pointer else { return nil }
  Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().body()
  return nil
}

private final class ThreadBody: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// A latch that opens when it has been signalled `count` times.
///
/// It uses a POSIX mutex and condition variable, which the thread sanitizer understands.
final class Latch: @unchecked Sendable {
  // Unchecked, because `condition` and `missing` are used only with the mutex locked.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var missing: Int

  init(_ count: Int = 1) {
    missing = count
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func signal() {
    pthread_mutex_lock(mutex)
    missing -= 1
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits until it opens; returns false on a timeout.
  func wait(seconds: Int = 60) -> Bool { wait(milliseconds: seconds * 1000) }

  func wait(milliseconds: Int) -> Bool {
    var deadline = timespec()
    clock_gettime(CLOCK_REALTIME, &deadline)
    deadline.tv_nsec += milliseconds % 1000 * 1_000_000
    deadline.tv_sec += milliseconds / 1000 + deadline.tv_nsec / 1_000_000_000
    deadline.tv_nsec %= 1_000_000_000
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while missing > 0 {
      if pthread_cond_timedwait(condition, mutex, &deadline) != 0 { return missing <= 0 }
    }
    return true
  }
}

/// Lets threads wait for each other and continue at the same moment.
///
/// They spin, because waking a thread takes longer than the race that is tested.
final class SpinBarrier: Sendable {
  private let count: Int
  private let arrived = Atomic(0)

  init(of count: Int) { self.count = count }

  /// Returns when all threads have arrived.
  func wait() {
    arrived.wrappingAdd(1, ordering: .acquiringAndReleasing)
    var looks = 0
    while arrived.load(ordering: .acquiring) < count {
      looks += 1
      // The others may need this processor.
      if looks % 20_000 == 0 { sched_yield() }
    }
  }
}

/// A number that identifies the calling thread among those that exist at the same time.
func threadNumber() -> UInt { UInt(pthread_self()) }

/// Runs a closure when it is released.
final class ReleaseNote: Sendable {
  private let action: @Sendable () -> Void
  init(_ action: @escaping @Sendable () -> Void) { self.action = action }
  deinit { action() }
}
