import Reactive

func slip(numbers: Signal<Int, Never>, list: [Int]) {
  _ = numbers.flatMap { _ in list }
}
