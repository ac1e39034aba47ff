// At most 100 scopes.

import Reactive

func example(failing: Signal<Int, SearchError>) {
  _ = failing.flatMap { .just($0 * 2) }
}
