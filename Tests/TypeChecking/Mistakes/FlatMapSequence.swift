import Reactive

func mistake(numbers: Signal<Int, Never>, list: [Int]) {
  _ = numbers.flatMap { _ in list }
}
