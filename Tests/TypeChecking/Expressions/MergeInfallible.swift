// At most 500 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(numbers: Signal<Int, Never>, failing: Signal<Int, SearchError>) {
  _ = failing.merge(with: numbers)
  _ = merge(failing, numbers)
  _ = combineLatest(failing, numbers)
  _ = zip(failing, numbers)
  _ = zip(numbers, failing).map { $0 + $1 }
  _ = failing.combineLatest(with: numbers).map { $0 + $1 }
  _ = failing.zip(with: numbers)
  _ = failing.concat(numbers)
  _ = Signal.merge([failing, failing])
  _ = combineLatest(failing, numbers) { $0 + $1 }
  _ = zip(numbers, failing) { $0 + $1 }
}
