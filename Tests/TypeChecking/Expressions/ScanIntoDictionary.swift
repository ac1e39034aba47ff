// At most 500 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(words: Signal<String, Never>, orders: Signal<Order, SearchError>) {
  let totals: Signal<[Int: Double], SearchError> = orders.scan(into: [:]) { totals, order in
    let amount = order.price * Double(order.quantity)
    totals[order.user, default: 0] += amount
    if amount > 1000 {
      print("large order \(order.id) of \(order.user)")
    }
  }
  let report =
    totals
    .map { totals in
      let best = totals.max { $0.value < $1.value }
      guard let best else { return "none" }
      return "\(best.key): \(best.value)"
    }
    .distinctUntilChanged()
  _ = report
}
