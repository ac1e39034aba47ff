import Reactive

/// An order of a number of items of one kind.
struct Order: Sendable {
  var item: String
  var count: Int
}

/// Stands in for a database, which is queried on its own queue.
struct Database: Sendable {
  private static let queue = QueueScheduler(label: "database")
  private let table = [
    Order(item: "pear", count: 4), Order(item: "apple", count: 3),
    Order(item: "melon", count: 0), Order(item: "plum", count: 20),
  ]

  /// Sends the orders that match a predicate, in the order of the table.
  func orders(
    where isWanted: @escaping @Sendable (Order) -> Bool
  ) -> Signal<Order, ReportFailure> {
    Signal.from(table)
      .filter(isWanted)
      .promoteFailure(to: ReportFailure.self)
      .subscribe(on: Self.queue)
  }
}
