// At most 3000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(failing: Signal<Int, SearchError>) {
  _ =
    failing
    .filter { $0 > 0 }
    .scan(into: 0.0) { sum, value in sum += Double(value) }
    .map { $0 / 2 }
    .distinctUntilChanged()
    .throttle(.seconds(1), on: background)
    .retry(3)
    .catch { _ in .just(0) }
    .startWith(-1)
    .map { "\($0) EUR" }
    .subscribe { show($0) }
}
