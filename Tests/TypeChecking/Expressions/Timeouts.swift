// At most 500 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(failing: Signal<Int, SearchError>, numbers: Signal<Int, Never>) {
  _ = failing.timeout(after: .seconds(1), on: background, failingWith: SearchError(code: 408))
  _ = numbers.timeout(after: .seconds(1), on: background, failingWith: SearchError(code: 408)).map {
    $0 + 1
  }
  _ = numbers.timeout(each: .seconds(1), on: background, switchingTo: .just(0)).map { $0 + 1 }
  _ = failing.timeout(each: .milliseconds(500), on: background, failingWith: SearchError()).retry(2)
    .catch { _ in .just(0) }
}
