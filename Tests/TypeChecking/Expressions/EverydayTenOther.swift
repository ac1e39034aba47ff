// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(words: Signal<String, Never>, numbers: Signal<Int, Never>) {
  _ =
    words
    .filter { !$0.isEmpty }
    .debounce(.milliseconds(200), on: background)
    .distinctUntilChanged()
    .flatMapLatest { term in suggestions(for: term) }
    .scan([String]()) { $0 + $1 }
    .map { Array($0.suffix(10)) }
    .combineLatest(with: numbers)
    .map { list, count in list.prefix(count).joined(separator: ", ") }
    .startWith("nothing yet")
    .deliver(on: .main)
    .subscribe { print($0) }
}
