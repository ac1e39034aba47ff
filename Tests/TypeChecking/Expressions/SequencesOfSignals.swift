// At most 2000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(all: Set<Int>, list: [Signal<Int, Never>]) {
  _ = Signal.merge(all.map { Signal<Int, Never>.just($0) })
  _ = Signal.merge(list)
  _ = merge(list)
  _ = combineLatest(list).map { $0.reduce(0, +) }
  _ = zip(list).map { $0.max() ?? 0 }
  _ = Signal.concat(list.lazy.map { $0.map { $0 + 1 } }.reversed())
  _ = combineLatest(list.prefix(2))
  _ = (0..<3).map { index in list[index].map { $0 * index } }.reduce(Signal<Int, Never>.empty()) {
    $0.merge(with: $1)
  }
}
