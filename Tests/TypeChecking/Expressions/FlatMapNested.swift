// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(failing: Signal<Int, SearchError>) {
  _ = failing.flatMap { id in
    user(id).flatMap { user in
      suggestions(for: user.name).map { names in (user, names.count) }
    }
  }
  .map { user, count in "\(user.name): \(count)" }
  .catch { _ in .just("unknown") }
}
