// At most 500 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(numbers: Signal<Int, Never>) -> Signal<Int, Never> {
  numbers
    .map { $0 + 1 }
    .map { $0 + 1 }
    .map { $0 + 1 }
    .map { $0 + 1 }
    .map { $0 + 1 }
    .map { $0 + 1 }
    .map { $0 + 1 }
    .map { $0 + 1 }
    .map { $0 + 1 }
    .map { $0 + 1 }
}
