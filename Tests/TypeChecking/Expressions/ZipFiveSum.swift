// At most 300 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(
  a: Signal<Int, Never>,
  b: Signal<Int, Never>,
  c: Signal<Int, Never>,
  d: Signal<Int, Never>,
  e: Signal<Int, Never>
) {
  _ = zip(a, b, c, d, e, transform: { $0 + $1 + $2 + $3 + $4 })
  _ = combineLatest(a, b, c, d, e, transform: { $0 + $1 + $2 + $3 + $4 })
  _ = combineLatest(a, b, c, d, e).map { $0 + $1 + $2 + $3 + $4 }
  _ = combineLatest(a.map { $0 + 1 }, b.filter { $0 > 1 }, c.startWith(0), d.skip(1)) {
    $0 * $1 + $2 * $3
  }
}
