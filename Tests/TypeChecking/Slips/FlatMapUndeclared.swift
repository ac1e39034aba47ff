import Reactive

func slip(numbers: Signal<Int, Never>) {
  _ = numbers.flatMap { _ in other }
}
