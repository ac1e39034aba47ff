// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(numbers: Signal<Int, Never>) {
  let text =
    numbers
    .map { $0 * 2 }
    .map { [$0, $0 + 1] }
    .map { $0.count }
    .map { "\($0)" }
    .map { $0.count }
    .map { $0 > 3 }
    .map { !$0 }
    .map { $0 ? 1 : 0 }
    .map { $0 * 100 + 7 }
    .map { "number \($0)" }
  _ = text
}
