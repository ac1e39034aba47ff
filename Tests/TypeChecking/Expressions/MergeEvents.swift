// At most 3000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(plus: Signal<Void, Never>, minus: Signal<Void, Never>, reset: Signal<Void, Never>) {
  enum Key: Sendable { case plus, minus, reset }
  let counter = merge(plus.map { Key.plus }, minus.map { Key.minus }, reset.map { Key.reset })
    .scan(0) { count, key in
      switch key {
      case .plus: count + 1
      case .minus: count - 1
      case .reset: 0
      }
    }
    .startWith(0)
  let other = Signal.merge([plus.map { 1 }, minus.map { -1 }]).scan(0, +).map { "\($0)" }
  _ = (counter, other)
}
