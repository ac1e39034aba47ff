// At most 500 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(numbers: Signal<Int, Never>) {
  _ = numbers.scan((0, 1)) { state, number in
    let next = state.0 + state.1
    let bounded = next > 1000 ? 0 : next
    return (state.1, bounded + number)
  }
  .map { $0.0 }
  .scan([Int]()) { list, number in
    var list = list
    list.append(number)
    if list.count > 5 { list.removeFirst() }
    return list
  }
  .map { list in
    let sum = list.reduce(0, +)
    return Double(sum) / Double(list.count)
  }
  .filter { mean in
    let isLarge = mean > 1.5
    return isLarge
  }
}
