// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(orders: Signal<Order, Never>) {
  _ =
    orders
    .groupBy { $0.user }
    .flatMap { group in
      group.scan(0) { $0 + $1.price }.map { (group.key, $0) }
    }
    .scan(into: [Int: Double]()) { $0[$1.0] = $1.1 }
    .map { $0.count }
  _ = orders.groupBy { $0.item }.flatMap { $0.map { $0.price }.reduce(0, +) }
  _ = orders.groupBy { $0.item }.flatMap { group in group.debounce(.seconds(1), on: background) }
    .subscribe { print($0.id) }
}
