import Synchronization

/// How many orders were filled.
final class Filled: Sendable {
  private let count = Atomic(0)

  func add() { count.add(1, ordering: .relaxed) }
}
