// At most 300 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(names: [String]) -> Signal<String, SearchError> {
  .create { observer in
    guard !names.isEmpty else { return observer.fail(SearchError(code: 404)) }
    for (index, name) in names.enumerated() where name.count > index {
      observer.send("\(index): \(name)")
    }
    observer.complete()
  }
  .doNext { print($0) }
  .do(started: { print("started") }, failed: { print($0.code) }, completed: { print("done") })
  .finally { print("over") }
  .map { $0.uppercased() }
  .named("names")
}
