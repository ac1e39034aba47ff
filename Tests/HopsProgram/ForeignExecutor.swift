import Foundation

/// A stand-in for another library that runs all tasks without an actor on its own threads.
///
/// It uses the only hook that the concurrency runtime has for that, and ignores the hook's previous
/// owner.
final class ForeignExecutor: SerialExecutor, @unchecked Sendable {
  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []

  private static let shared = ForeignExecutor()

  private typealias Hook = @convention(thin) (UnownedJob, UnsafeRawPointer) -> Void

  /// Installs the hook, and starts the threads.
  static func install() {
    guard let place = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "swift_task_enqueueGlobal_hook")
    else { fatalError("the concurrency runtime has no hook for its executor") }
    let hook: Hook = { job, _ in ForeignExecutor.shared.enqueue(job) }
    place.assumingMemoryBound(to: UnsafeRawPointer?.self).pointee =
      unsafeBitCast(hook, to: UnsafeRawPointer.self)
    for _ in 0..<2 {
      Thread.detachNewThread {
        while true { shared.next().runSynchronously(on: shared.asUnownedSerialExecutor()) }
      }
    }
  }

  func enqueue(_ job: UnownedJob) {
    condition.withLock {
      jobs.append(job)
      condition.signal()
    }
  }

  func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }

  private func next() -> UnownedJob {
    condition.withLock {
      while jobs.isEmpty { condition.wait() }
      return jobs.removeFirst()
    }
  }
}
