// At most 3000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(list: LazyList<Int>) {
  _ =
    list
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
