// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(failing: Signal<Int, SearchError>) {
  _ = failing.catch { _ in .just(0) }
  _ = failing.catch { error in .just(error.code) }
  _ = failing.catch { _ in .just(0) }.subscribe { print($0) }
  _ = failing.catch { $0.code == 404 ? .just(0) : .failed($0) }
  _ = failing.catch { error -> Signal<Int, ParseError> in .failed(ParseError(text: "\(error.code)"))
  }
  _ = failing.catch { _ in .empty() }
  _ = failing.catch { _ in .empty() }.subscribe { print($0) }
  _ = failing.map { "\($0)" }.catch { .just("failed: \($0.code)") }.subscribe { show($0) }
  _ = failing.catch { _ in .just(0) }.map { $0 + 1 }.subscribe { print($0) }
}
