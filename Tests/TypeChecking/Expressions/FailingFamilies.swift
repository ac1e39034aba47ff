// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(
  failing: Signal<Int, SearchError>,
  numbers: Signal<Int, Never>,
  words: Signal<String, Never>
) {
  _ = failing.flatMapLatest { .just($0 * 2) }.map { $0 + 1 }
  _ = failing.flatMapFirst { $0 > 0 ? .just("\($0)") : .empty() }
  _ = failing.concatMap { _ in .failed(SearchError()) as Signal<Int, SearchError> }
  _ = failing.flatMap(limit: 2) { .just([$0]) }.flatten()
  _ = failing.concatMap { numbers.startWith($0) }.flatMapLatest { number in
    words.map { "\($0) \(number)" }
  }
  _ = words.flatMapLatest { word -> Signal<[Item], SearchError> in
    word.isEmpty ? .empty() : search(word)
  }
  _ = words.concatMap { $0.isEmpty ? .failed(SearchError()) : search($0) }
  let result: Signal<String, SearchError> = words.flatMap { .just($0) }
  _ = result
}
