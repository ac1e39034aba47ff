// At most 500 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(
  failing: Signal<Int, SearchError>,
  numbers: Signal<Int, Never>,
  words: Signal<String, Never>
) {
  _ = numbers.withLatest(from: words).map { "\($0) \($1)" }
  _ = failing.withLatest(from: words).map { $0 + $1.count }
  _ = failing.withLatest(from: failing).map { $0 + $1 }
  _ = failing.withLatest(from: .just(2)).map { $0 * $1 }
  _ = words.withLatest(from: numbers).filter { $0.count > $1 }.map { $0.0 }.distinctUntilChanged()
}
