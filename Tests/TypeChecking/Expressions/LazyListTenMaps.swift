// At most 3000 scopes.

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
