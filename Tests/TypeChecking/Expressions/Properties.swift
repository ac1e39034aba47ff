// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example() {
  let name = MutableProperty("")
  let age = MutableProperty(3)
  let label = name.map { $0.uppercased() }
  let both = name.combineLatest(with: age).map { "\($0) \($1)" }
  _ = name.signal.combineLatest(with: age.signal).map { "\($0) is \($1)" }.subscribe { print($0) }
  _ = combineLatest(name.signal, age.signal) { "\($0): \($1 + 1)" }
  let isValid = combineLatest(name.signal.map { !$0.isEmpty }, age.signal.map { $0 >= 18 }).map {
    $0 && $1
  }
  let property = Property(initial: false, then: isValid)
  _ = property.signal.map { $0 ? "yes" : "no" }.distinctUntilChanged()
  print(label.value, both.value)
  _ = age.signal.map { $0 * 2 }.bind(to: age)
  age.modify { $0 += 1 }
}
