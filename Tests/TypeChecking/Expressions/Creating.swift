// At most 2000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example() {
  _ = Signal<Int, Never>.just(1).map { $0 + 1 }
  _ = Signal<Int, Never>.just(1).map { $0 + 1 }.subscribe { print($0) }
  _ = Signal<Int, Never>.from([1, 2, 3]).map { $0 * 2 }.reduce(0, +).subscribe { print($0) }
  _ = Signal<Int, Never>.from([1, 2, 3]).flatMap { .just($0) }.subscribe { print($0) }
  _ = Signal<Int, SearchError>.create { observer in
    observer.send(1)
    observer.send(2)
    observer.complete()
  }
  .map { $0 * 2 }
  _ = Signal.interval(.seconds(1), on: background).map { $0 + 1 }.take(3)
  _ = Signal<Int, Never>.range(from: 0, count: 10).map { $0 * $0 }.filter { $0 % 2 == 1 }
  _ = Signal.deferred { user(3) }.map { $0.name.count + 1 }
}
