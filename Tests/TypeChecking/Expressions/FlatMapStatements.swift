// At most 200 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(failing: Signal<Int, SearchError>) {
  let names = failing.flatMap { id -> Signal<String, SearchError> in
    let doubled = id * 2
    let name = "user \(doubled)"
    if name.count > 10 { return .just(name) }
    return user(doubled).map { $0.name + name }
  }
  let lengths = failing.flatMapLatest { id in
    let next = id + 1
    print(next)
    return user(next).map { $0.name.count }
  }
  _ = (names, lengths)
}
