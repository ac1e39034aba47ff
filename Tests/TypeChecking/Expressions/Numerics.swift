// At most 5000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(numbers: Signal<Int, Never>, ratios: Signal<Double, Never>) {
  _ = numbers.map { Double($0) * 1.5 + 2 }
  _ = ratios.map { Int($0 * 100) }.map { $0 / 10 + 3 * 2 - 1 }
  _ = numbers.combineLatest(with: ratios).map { Double($0) * $1 / 100 + 1 }
  _ = ratios.map { ($0 - 32) * 5 / 9 }
  _ = ratios.map { 1 / (1 + $0 * $0) - 0.5 * $0 + 2 }
  _ = numbers.map { $0 * 60 * 60 + 30 }.map { Double($0) / 3600 }
  _ = ratios.scan(0.0) { $0 * 0.9 + $1 * 0.1 }
  _ = ratios.scan(0) { $0 * 0.9 + $1 * 0.1 }
  _ = numbers.map { -($0 + 1) * 2 }.filter { $0 >= -10 && $0 <= 10 || $0 == 100 }
  _ = ratios.scan((0.0, 0)) { ($0.0 + $1, $0.1 + 1) }.map { $0.0 / Double($0.1) }
}
