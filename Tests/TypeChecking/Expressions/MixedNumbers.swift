// At most 2000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(celsius: Signal<Double, Never>, counts: Signal<Int, SearchError>) {
  _ = celsius.map { $0 * 9 / 5 + 32 }.map { "\($0) °F" }
  _ = celsius.buffer(count: 10).map { $0.reduce(0, +) / Double($0.count) }
  _ = counts.map { Double($0) / 100 }.map { min(max($0, 0), 1) }.catch { _ in .just(0.5) }
  _ = counts.withLatest(from: celsius).map { Double($0) * $1 }.filter { $0 > 0.5 }
  _ = counts.scan(0) { $0 + $1 }.map { 100 * $0 / 3 }.map { $0 > 50 ? 1.5 : 0 }
  _ = celsius.map { Int($0.rounded()) }.distinctUntilChanged().combinePrevious().map {
    $0.current - $0.previous
  }
}
