// At most 500 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(failing: Signal<Int, SearchError>, numbers: Signal<Int, Never>) {
  _ = failing.flatMap { suggestions(for: "\($0)") }.flatMap { .just($0.count) }
  _ = numbers.flatMap { user($0) }.flatMap { suggestions(for: $0.name) }.flatMap {
    .just($0.joined())
  }
  _ = failing.flatMap { user($0) }.flatMap { save($0) }.map { "saved" }
}
