// At most 20000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(numbers: Signal<Int, Never>, failing: Signal<Int, SearchError>) {
  _ = numbers.reduce(0, +)
  _ = failing.reduce(0, +).map { Double($0) / 2 }
  _ = numbers.map { Double($0) }.reduce(0, +)
  _ = numbers.map { "\($0)" }.reduce("", +)
  _ = numbers.scan(0, +)
  _ = numbers.scan(1, *).scan(0, +).reduce(0, max)
}
