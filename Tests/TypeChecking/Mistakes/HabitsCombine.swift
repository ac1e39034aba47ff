import Reactive

func mistake(numbers: Signal<Int, Never>) {
  _ = numbers.removeDuplicates()
  _ = numbers.receive(on: background)
  _ = numbers.debounce(for: .seconds(1), scheduler: background)
  _ = numbers.throttle(for: .seconds(1), scheduler: background, latest: true)
  _ = numbers.handleEvents(receiveOutput: { print($0) })
  _ = numbers.eraseToAnyPublisher()
  _ = numbers.replaceError(with: 0)
  numbers.sink { print($0) }
}
