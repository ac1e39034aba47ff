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
  _ = zip(a, b, transform: { $0 + $1.count })
  _ = zip(a, b) { "\($0): \($1)" }
  _ = zip(a, b, c) { Double($0 + $1.count) * $2 }
  _ = zip(a, b, c, d) { a, b, c, d in d ? "\(a) \(b)" : "\(c)" }
  _ = zip(a, b, c, d, e) { a, b, c, d, e in d ? a + e.count : b.count + Int(c) }
  _ = zip(a, b, c, d, e, f) { a, b, c, d, e, f in "\(a)\(b)\(c)\(d)\(e)\(f.name)" }
}
