// At most 300 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(failing: Signal<Int, SearchError>, numbers: Signal<Int, Never>) {
  let a: Signal<String, SearchError> = failing.flatMap { number in
    if number > 0 { return .just("positive") }
    return .failed(SearchError(code: number))
  }
  let b = numbers.flatMap { number -> Signal<String, SearchError> in
    guard number > 0 else { return .failed(SearchError()) }
    return .just("\(number)")
  }
  let c: Signal<Int, Never> = numbers.flatMap { $0 > 0 ? .just($0) : .empty() }
  _ = (a, b, c)
}
