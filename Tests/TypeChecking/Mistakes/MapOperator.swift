import Reactive

func mistake(numbers: Signal<Int, Never>) {
  _ = numbers.map { $0 + "a" }
}
