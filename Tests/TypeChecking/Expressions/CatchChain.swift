// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(failing: Signal<Int, SearchError>) {
  _ =
    failing
    .map { $0 + 1 }
    .catch { _ in .just(0) }
    .map { $0 * 2 }
    .filter { $0 > 2 }
    .distinctUntilChanged()
    .scan(0) { $0 + $1 }
    .map { "\($0)" }
    .startWith("")
    .deliver(on: .main)
    .subscribe { print($0) }
}
