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
  _ = zip(a.map { $0 * 2 }, b.filter { !$0.isEmpty }, c.map { $0 / 2 })
    .map { number, text, ratio in "\(text) \(Double(number) * ratio)" }
    .distinctUntilChanged()
    .combineLatest(with: d)
    .filter { $0.1 }
    .map { $0.0 }
    .startWith("-")
    .scan("") { $0 + "\n" + $1 }
    .deliver(on: .main)
    .subscribe { print($0) }
}
