// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(failing: Signal<Int, SearchError>, numbers: Signal<Int, Never>) {
  _ = failing.take(until: numbers.filter { $0 > 3 }).skip(while: { $0 < 3 }).take(while: { $0 < 10 }
  ).map { $0 + 1 }
  _ = failing.first(where: { $0 > 3 }).map { "\($0)" }
  _ = failing.skip(until: numbers).take(last: 3).collect().map { $0.reduce(0, +) }
  _ = numbers.take(for: .seconds(1), on: background).element(at: 2).defaultIfEmpty(3).map { $0 + 1 }
  _ = numbers.contains(3).combineLatest(with: numbers.allSatisfy { $0 > 0 }).map { $0 && $1 }
  _ = numbers.max().zip(with: numbers.min()).map { $0 - $1 }
  _ = numbers.distinct(by: { $0 % 10 }).output(in: 2...4).endWith(1, 2)
}
