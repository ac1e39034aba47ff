// At most 2000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example() {
  _ = [1, 2, 3].lazyList.map { $0 + 1 }.filter { $0 > 2 }.take(2)
  _ = LazyList.generate(1) { $0 * 2 }
    .map { $0 + 1 }
    .filter { $0 % 3 == 0 }
    .scan(0) { $0 + $1 }
    .map { $0 / 2 }
    .distinct()
    .skip(1)
    .take(10)
    .map { "\($0)" }
    .distinctUntilChanged()
  let sum = (1...100).lazyList.map { $0 * $0 }.filter { $0 % 2 == 0 }.reduce(0, +)
  print(sum)
}
