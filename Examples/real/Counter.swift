import Synchronization

/// A counter that can be changed from any thread.
final class Counter: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func add(_ number: Int = 1) { count.withLock { $0 += number } }
}
