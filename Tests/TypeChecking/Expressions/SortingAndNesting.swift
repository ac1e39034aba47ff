// At most 2000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(lists: Signal<[User], Never>) {
  _ = lists.map {
    $0.filter { $0.age > 18 }.sorted { $0.name < $1.name }.map { $0.name }.joined(separator: ", ")
  }
  _ = lists.map { users in users.map { $0.age }.reduce(0, +) / max(users.count, 1) }
  _ = lists.flatMap { Signal.from($0) }.map { $0.name }.distinct().collect().map { $0.sorted() }
  _ = lists.map { $0.reduce(into: [:]) { $0[$1.id] = $1.name } }.map { (names: [Int: String]) in
    names.count
  }
  _ = lists.map {
    Dictionary(grouping: $0) { $0.age / 10 }.mapValues { $0.count }.sorted { $0.key < $1.key }
  }
}
