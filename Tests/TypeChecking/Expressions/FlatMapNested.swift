// At most 1000 scopes.

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
