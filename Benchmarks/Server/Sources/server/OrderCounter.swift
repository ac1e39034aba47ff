import Synchronization

/// The number of orders that were filled.
final class OrderCounter: Sendable {
  private let count = Atomic(0)

  func add() { count.add(1, ordering: .relaxed) }
}
