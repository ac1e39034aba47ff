// At most 4000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(words: Signal<String, Never>) {
  _ =
    words
    .map { $0.lowercased() }
    .filter { $0.count > 2 }
    .distinctUntilChanged()
    .debounce(.milliseconds(300), on: background)
    .flatMapLatest { search($0) }
    .retry(2)
    .map { $0.map { $0.title } }
    .catch { _ in .just([]) }
    .startWith([])
    .deliver(on: .main)
    .subscribe { titles in print(titles.count) }
}
