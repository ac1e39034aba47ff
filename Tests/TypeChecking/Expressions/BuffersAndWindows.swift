// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(numbers: Signal<Int, Never>, failing: Signal<Int, SearchError>) {
  _ = numbers.buffer(count: 3).map { $0.reduce(0, +) }
  _ = numbers.buffer(count: 2, skip: 1).map { $0[1] - $0[0] }
  _ = numbers.window(count: 3).flatMap { $0.reduce(0, +) }
  _ = failing.window(every: .seconds(1), on: background).flatMap { $0.count() }.map { $0 + 1 }
  _ = numbers.collect(every: .seconds(1), on: background).filter { !$0.isEmpty }.map {
    $0.max() ?? 0
  }
  _ = failing.buffer(boundary: numbers).map { $0.count }
  _ = numbers.combinePrevious().map { $1 - $0 }
  _ = numbers.window(boundary: numbers.filter { $0 == 0 }).concatMap { $0.collect() }.map {
    $0.count
  }
}
