// At most 500 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(numbers: Signal<Int, Never>) {
  _ =
    numbers
    .flatMap { .just($0 + 1) }
    .concatMap { .just($0 * 2) }
    .flatMapLatest { .just("\($0)") }
    .flatMapFirst { .just($0.count) }
    .flatMap { .just($0 - 1) }
    .flatMap(limit: 2) { .just($0 - 1) }
}
