// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(numbers: Signal<Int, Never>) {
  _ =
    numbers
    .map { $0 + 1 }
    .filter { $0 % 2 == 0 }
    .map { $0 * 3 }
    .map { $0 + 1 }
    .filter { $0 % 2 == 0 }
    .map { $0 * 3 }
    .map { $0 + 1 }
    .filter { $0 % 2 == 0 }
    .map { $0 * 3 }
    .map { $0 + 1 }
    .filter { $0 % 2 == 0 }
    .map { $0 * 3 }
    .map { $0 + 1 }
    .filter { $0 % 2 == 0 }
    .map { $0 * 3 }
    .map { $0 + 1 }
    .filter { $0 % 2 == 0 }
    .map { $0 * 3 }
    .map { $0 + 1 }
    .filter { $0 % 2 == 0 }
    .map { $0 * 3 }
    .map { $0 + 1 }
    .filter { $0 % 2 == 0 }
    .map { $0 * 3 }
    .map { $0 + 1 }
    .filter { $0 % 2 == 0 }
    .map { $0 * 3 }
    .map { $0 + 1 }
    .filter { $0 % 2 == 0 }
    .map { $0 * 3 }
}
