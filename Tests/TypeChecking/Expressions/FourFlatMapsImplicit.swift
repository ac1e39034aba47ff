// At most 300 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(failing: Signal<Int, SearchError>) {
  _ =
    failing
    .flatMap { .just($0 + 1) }
    .concatMap { .just($0 * 2) }
    .flatMapLatest { .just("\($0)") }
    .flatMapFirst { .just($0.count) }
    .flatMap(limit: 2) { .just($0 - 1) }
}
