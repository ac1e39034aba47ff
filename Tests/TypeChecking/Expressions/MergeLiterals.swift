// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(numbers: Signal<Int, Never>, failing: Signal<Int, SearchError>) {
  _ = Signal.merge([numbers, .just(1), .empty()])
  _ = merge(numbers, .just(1), numbers.map { $0 + 1 })
  _ = numbers.merge(with: .just(2), numbers.filter { $0 > 1 })
  _ = Signal.concat([.just(1), .just(2), numbers])
  _ = numbers.concat(.just(3)).concat(.empty())
  _ = Signal.merge([numbers.map { "\($0)" }, .just("a")]).map { $0.count }
  _ = merge(failing, .just(1), .failed(SearchError()))
  _ = Signal<Int, Never>.merge([.just(1), .just(2)])
}
