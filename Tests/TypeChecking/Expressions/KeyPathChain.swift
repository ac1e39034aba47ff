// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(users: Signal<User, Never>) {
  _ =
    users
    .map(\.name)
    .map(\.count)
    .map(\.description)
    .map(\.count)
    .filter { $0 > 2 }
    .map(\.description)
    .map(\.utf8)
    .map(\.count)
    .map(\.description)
    .distinctUntilChanged()
    .map(\.isEmpty)
}
