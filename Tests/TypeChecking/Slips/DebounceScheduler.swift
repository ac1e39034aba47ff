import Reactive

func slip(numbers: Signal<Int, Never>) {
  _ = numbers.debounce(.seconds(1))
}
