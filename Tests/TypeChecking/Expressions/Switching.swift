// At most 2000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(words: Signal<String, Never>) {
  _ = words.map { search($0).catch { _ in .just([]) } }.switchToLatest().map { $0.count }
  _ = words.map { suggestions(for: $0) }.flatten().map { $0.joined() }
  _ = words.map { term in suggestions(for: term).map { (term, $0) } }.concat().map {
    $0 + "\($1.count)"
  }
  _ = words.flatMapLatest { term in term.isEmpty ? .just([]) : suggestions(for: term) }.map {
    $0.first ?? ""
  }
  _ = words.flatMapLatest { term in term.isEmpty ? .just([]) : search(term) }.map {
    $0.first?.title ?? ""
  }
  _ = words.flatMapLatest {
    search($0).retry(1).map { $0.map { $0.title } }.catch { _ in .just([]) }
  }.subscribe { print($0) }
}
