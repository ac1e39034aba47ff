// At most 50000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(people: [User]) {
  let names = people.lazyList
    .filter { $0.age >= 18 }
    .map { $0.name }
    .filter { !$0.isEmpty }
    .flatMap { $0.split(separator: " ").map(String.init) }
    .map { $0.lowercased() }
    .distinct()
    .enumerated()
    .map { index, name in "\(index + 1). \(name)" }
    .take(20)
  for name in names { print(name) }
  _ = people.lazyList.map(\.name.count).scan(0, +).zip(with: people.lazyList.map(\.age))
    .map { $0 + $1 }
  print(people.lazyList.map { $0.age }.reduce(0, +), people.lazyList.foldLeft(0) { $0 + $1.age })
  _ = people.lazyList.flatMap { $0.tags }.map { $0.count }.reduce(0, +)
  _ = people.lazyList.flatMap { LazyList.just($0.age) }.concat(.just(3)).startWith(1)
}
