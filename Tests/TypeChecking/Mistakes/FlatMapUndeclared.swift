import Reactive

func mistake(numbers: Signal<Int, Never>) {
  _ = numbers.flatMap { _ in other }
}
