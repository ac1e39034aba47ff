import Reactive

func mistake(numbers: Signal<Int, Never>) {
  _ = numbers.debounce(.seconds(1))
}
