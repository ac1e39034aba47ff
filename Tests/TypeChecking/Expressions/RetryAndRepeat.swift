// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(failing: Signal<Int, SearchError>) {
  _ = failing.retry(3).map { $0 + 1 }
  _ = failing.retry(3, delay: .seconds(1), on: background)
  _ = failing.retry(delay: { number, _ in number < 5 ? .seconds(number * 2) : nil }, on: background)
  _ = failing.retry(when: { failures in
    failures.flatMap { _ in Signal.timer(after: .seconds(1), on: background) }
  })
  _ = failing.retry { failures in failures.delay(.seconds(1), on: background) }.map { $0 * 2 }
  _ = failing.repeat(2).then(.just("end")).map { $0.count }
  _ = failing.then { user(3) }.map { $0.name }
  _ = failing.repeat(when: { $0.delay(.seconds(1), on: background) })
}
