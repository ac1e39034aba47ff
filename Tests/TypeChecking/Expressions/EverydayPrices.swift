// At most 50000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(orders: Signal<Order, SearchError>, rate: Signal<Double, SearchError>) {
  _ =
    orders
    .filter { $0.quantity > 0 && $0.price > 0.01 }
    .map { $0.price * Double($0.quantity) }
    .combineLatest(with: rate)
    .map { $0 * $1 * 1.19 }
    .distinctUntilChanged()
    .scan(into: (sum: 0.0, count: 0)) { total, price in
      total.sum += price
      total.count += 1
    }
    .map { total in total.sum / Double(total.count) }
    .catch { _ in .empty() }
    .deliver(on: .main)
    .subscribe { print("mean \($0)") }
}
