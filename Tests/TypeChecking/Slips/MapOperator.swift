import Reactive

func slip(numbers: Signal<Int, Never>) {
  _ = numbers.map { $0 + "a" }
}
