// At most 500 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(numbers: Signal<Int, Never>) {
  _ = numbers.concatMap { user($0) }
  _ = numbers.flatMapLatest { user($0) }
  _ = numbers.flatMapFirst { user($0) }
  _ = numbers.flatMap(limit: 3) { user($0) }
  _ = numbers.concatMap { .just($0) }
  _ = numbers.flatMapLatest { .just($0) }
  _ = numbers.flatMapFirst { $0 > 1 ? .just($0) : .empty() }
}
