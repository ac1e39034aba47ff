// At most 10000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(orders: Signal<Order, Never>, users: Signal<User, Never>) {
  _ = users.map { ["id": $0.id, "age": $0.age] }
  _ = users.map { [$0.name: $0.tags] }.scan([:]) { $0.merging($1) { $0 + $1 } }
  _ = orders.scan(into: [Int: Double]()) { $0[$1.user, default: 0] += $1.price }.map {
    $0.values.reduce(0, +)
  }
  _ = orders.collect().map {
    Dictionary(grouping: $0, by: { $0.user }).mapValues { $0.map { $0.price }.reduce(0, +) }
  }
  _ = orders.map { ($0.item, $0.price * 1.19) }.scan(into: [:]) {
    (prices: inout [String: Double], pair) in prices[pair.0] = pair.1
  }
  _ = users.collect().map { users in
    Dictionary(uniqueKeysWithValues: users.map { ($0.id, $0.name) })
  }
}
