/// Orders with their prices.
struct Bill: Sendable, CustomStringConvertible {
  private let lines: [(order: Order, price: Int?)]

  init(_ orders: [Order], _ list: PriceList) {
    lines = orders.map { ($0, list.prices[$0.item]) }
  }

  /// A line for each order, and the total.
  var description: String {
    let total = lines.reduce(0) { $0 + $1.order.count * ($1.price ?? 0) }
    let texts = lines.map { order, price in
      guard let price else { return "\(order.count) \(order.item): no price" }
      return "\(order.count) \(order.item) at \(price) = \(order.count * price)"
    }
    return (texts + ["total \(total)"]).joined(separator: "\n")
  }
}
