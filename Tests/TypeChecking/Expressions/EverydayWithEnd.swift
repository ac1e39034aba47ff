// At most 300 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(failing: Signal<Int, SearchError>) {
  _ =
    failing
    .skip(1)
    .take(10)
    .map { $0 * 2 }
    .filter { $0 != 4 }
    .doNext { print($0) }
    .timeout(after: .seconds(5), on: background, failingWith: SearchError(code: 408))
    .retry(2)
    .flatMap { user($0) }
    .map { $0.name }
    .deliver(on: .main)
    .subscribe(next: { show($0) }, failed: { print($0.code) }, completed: { print("done") })
}
