// At most 500 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(words: Signal<String, Never>, texts: Signal<String, ParseError>) {
  _ = words.attemptMap { text in Result { () throws(ParseError) in try parse(text) } }
  _ = texts.attemptMap { text in Int(text).map { .success($0) } ?? .failure(ParseError(text: text))
  }
  _ = texts.attemptMap { $0.isEmpty ? .failure(ParseError()) : .success($0.count) }.map { $0 + 1 }
  _ = texts.attempt { $0.isEmpty ? .failure(ParseError()) : .success(()) }
  _ = texts.mapFailure { SearchError(code: $0.text.count) }.flatMap { search($0) }.map { $0.count }
}
