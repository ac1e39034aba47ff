// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(failing: Signal<Int, SearchError>) {
  let shared = failing.map { $0 * 2 }.share(replay: 1)
  let even = shared.filter { $0 % 2 == 0 }.map { "even \($0)" }
  let odd = shared.filter { $0 % 2 != 0 }.map { "odd \($0)" }
  _ = merge(even, odd).catch { _ in .just("failed") }.startWith("none").scan([]) { $0 + [$1] }.map {
    $0.suffix(3)
  }
  _ = shared.doNext { print($0) }.doFailed { print($0.code) }.finally { print("over") }.map {
    Double($0) / 2
  }
  _ = shared.mergeScan(0) { sum, number in .just(sum + number) }.map { $0 + 1 }
  _ = shared.expand { $0 < 100 ? .just($0 * 2) : .empty() }.collect().map { $0.count }
}
