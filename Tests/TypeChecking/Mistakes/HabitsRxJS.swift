import Reactive

func mistake(numbers: Signal<Int, Never>, names: Signal<String, Never>) {
  _ = numbers.switchMap { user($0) }
  _ = numbers.mergeMap { _ in names }
  _ = numbers.exhaustMap { _ in names }
  _ = numbers.tap { print($0) }
  _ = numbers.combineLatestWith(names)
  _ = numbers.pairwise()
}
