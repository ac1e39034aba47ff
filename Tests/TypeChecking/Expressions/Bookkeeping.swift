// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(
  prices: Signal<Int, SearchError>,
  ticks: Signal<Int, Never>,
  isBusy: MutableProperty<Bool>,
  all: CompositeDisposable,
  lifetime: Lifetime
) {
  all += prices.sample(with: ticks).map { $0 * 2 - $1 }.subscribe { print($0 + 1) }
  all += prices.throttle(while: isBusy.negate().or(isBusy)).subscribe { print($0) }
  all += { print("over") }
  lifetime += ticks.collect(
    every: .seconds(1),
    on: background,
    skipEmpty: true,
    discardWhenCompleted: false
  ).subscribe { print($0.count + 1) }
  var total = 1
  total += total * 2 - 3
  let limit = MutableProperty(10)
  let share = ValidatingProperty<Int, String>(1, with: limit) { value, limit in
    value <= limit ? .accept : .reject("\(value) is \(value - limit) too many")
  }
  all += share.signal.replay(2, lasting: .seconds(1), on: background).subscribe { print(-$0) }
}
