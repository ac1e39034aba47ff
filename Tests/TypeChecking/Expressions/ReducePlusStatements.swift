// At most 10000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(numbers: Signal<Int, Never>) {
  let sum = numbers.reduce(0, +)
  let squares =
    numbers
    .map { number in
      let square = number * number
      let half = square / 2
      return half + 1
    }
    .reduce(0, +)
  let text =
    numbers
    .scan(into: [Int: Int]()) { counts, number in
      let key = number % 10
      counts[key, default: 0] += 1
      if counts.count > 5 { counts.removeAll() }
    }
    .map { counts in
      let keys = counts.keys.sorted()
      return keys.map { "\($0)=\(counts[$0] ?? 0)" }.joined(separator: ",")
    }
    .reduce("", +)
  _ = (sum, squares, text)
}
