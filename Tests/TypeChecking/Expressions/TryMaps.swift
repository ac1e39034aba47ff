// At most 300 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(words: Signal<String, Never>) {
  _ = words.tryMap { (text) throws(ParseError) in try parse(text) }
  _ = words.tryMap { text throws(ParseError) -> Int in try parse(text) }
  _ = words.tryMap(parse)
  _ = words.tryMap {
    try parseAny($0)
  } orFail: { _ in
    ParseError()
  }
  _ = words.tryMap({ try parseAny($0) }, orFail: { ParseError(text: "\($0)") }).map { $0 + 1 }
}
