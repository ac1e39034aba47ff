// At most 500 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(numbers: Signal<Int, Never>) {
  _ = numbers.flatMap { .just($0 * 2) }
  _ = numbers.flatMap { number in number > 3 ? .just(number) : .empty() }
  _ = numbers.flatMap { number in Signal.just("\(number)") }
  _ = numbers.flatMap { user($0) }
  _ = numbers.flatMap { suggestions(for: "\($0)") }
}
