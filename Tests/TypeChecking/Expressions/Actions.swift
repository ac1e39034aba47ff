// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(numbers: Signal<Int, Never>) {
  let load = Action<Int, User, SearchError> { id in user(id) }
  let isBusy = load.isExecuting.signal.map { $0 ? "busy" : "idle" }
  _ = numbers.flatMap { load.apply($0) }.map { $0.name }.catch { _ in .empty() }.subscribe {
    show($0)
  }
  _ = load.values.map { $0.name }.merge(with: load.errors.map { "error \($0.code)" }, isBusy)
    .subscribe { show($0) }
  let login = Action<(String, String), User, SearchError>(enabledIf: isBusy.map { $0.isEmpty }) {
    name,
    password in
    name == password ? .failed(SearchError()) : user(name.count)
  }
  login.execute(("a", "b"))
  let command = Command<Void, Int, Never> { .just(1) }
  _ = command.executionSignals.flatten().map { $0 + 1 }
}
