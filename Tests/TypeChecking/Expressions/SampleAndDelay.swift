// At most 500 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(
  failing: Signal<Int, SearchError>,
  numbers: Signal<Int, Never>,
  ticks: Signal<Void, Never>
) {
  _ = failing.sample(on: .just(1))
  _ = failing.sample(on: ticks).map { $0 + 1 }
  _ = numbers.sample(on: ticks)
  _ = numbers.sample(on: .just(1))
  _ = failing.delay(until: { _ in .just(1) })
  _ = numbers.delay(until: { _ in .just(()) })
  _ = numbers.delay(until: { number in ticks.take(number) })
  _ = failing.delay(.seconds(1), on: background).sample(every: .seconds(1), on: background)
}
