import Reactive

func habit(numbers: Signal<Int, Never>, names: Signal<String, Never>, count: MutableProperty<Int>) {
  _ = numbers.skipRepeats()
  _ = numbers.on(value: { print($0) })
  _ = numbers.withLatest(names)
  numbers.startWithValues { print($0) }
  numbers.observeValues { print($0) }
  count <~ numbers
  _ = count.skipRepeats()
}
