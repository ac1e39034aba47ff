// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(
  a: Signal<Int, Never>,
  b: Signal<String, Never>,
  c: Signal<Double, Never>,
  d: Signal<Bool, Never>,
  e: Signal<[Int], Never>,
  f: Signal<User, Never>
) {
  _ = combineLatest(a, b).map { $0 + $1.count }
  _ = combineLatest(a, b, c).map { Double($0 + $1.count) * $2 }
  _ = combineLatest(a, b, c, d).map { $3 ? "\($0) \($1)" : "\($2)" }
  _ = combineLatest(a, b, c, d, e).map { a, b, c, d, e in d ? a + e.count : b.count }
  _ = combineLatest(a, b, c, d, e, f).map { a, b, c, d, e, f in "\(a)\(b)\(c)\(d)\(e)\(f.name)" }
}
