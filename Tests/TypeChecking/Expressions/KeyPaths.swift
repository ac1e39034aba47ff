// At most 5000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(users: Signal<User, Never>, words: Signal<String, Never>) {
  _ = words.map(\.count)
  _ = users.map(\.name).map(\.count).map { $0 + 1 }
  _ = users.map(\.name.count).filter { $0 > 1 }.reduce(0, +)
  _ = users.compactMap(\.email).distinctUntilChanged().map(\.isEmpty)
  _ = users.filter { $0.age > 1 }.map(\.tags).flatten().map(\.count).scan(0, +)
  _ = users.distinctUntilChanged(by: \.name)
  _ = users.map(\.email?.count).map { $0 ?? 0 }
  let path: any KeyPath<User, Int> & Sendable = \.age
  _ = users.map(path)
}
