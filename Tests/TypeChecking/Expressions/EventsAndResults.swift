// At most 500 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(failing: Signal<Int, SearchError>) {
  _ = failing.materialize().map { event -> Int in
    switch event {
    case .next(let number): number
    case .failed(let error): error.code
    case .completed: 0
    }
  }
  _ = failing.materializeResults().map { try? $0.get() }.compactMap { $0 }.map { $0 + 1 }
  _ = failing.map { Result<Int, SearchError>.success($0) }.catch { .just(.failure($0)) }.map {
    try? $0.get()
  }
  _ = failing.map(Optional.some).catch { _ in .just(nil) }.map { $0 ?? 0 }
}
