// At most 2000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(numbers: Signal<Int?, Never>, users: Signal<User, Never>) {
  _ = numbers.map { $0 ?? 0 }.map { $0 > 0 ? $0 : -$0 }
  _ = numbers.map { $0.map { $0 + 1 } }.compactMap { $0 }.map { $0 * 2 }
  _ = numbers.skipNil().map { $0 % 2 == 0 ? "even" : "odd" }
  _ = numbers.replaceNil(with: 0).reduce(0, +)
  _ = users.compactMap { $0.email }.map { $0.isEmpty ? nil : $0 }.skipNil()
  _ = users.map { $0.email ?? ($0.name.isEmpty ? "nobody" : $0.name + "@example.org") }
  _ = users.map { $0.age > 17 ? Level.high : $0.age > 12 ? .middle : .low }.map { $0.rawValue }
  _ = users.map { user in user.email != nil ? user.tags.first : nil }.map { $0?.count ?? -1 }
  _ = users.compactMap { user in user.tags.first.flatMap { Int($0) } }.map { Double($0) * 1.5 }
}
