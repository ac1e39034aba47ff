import Reactive

func mistake(numbers: Signal<Int, Never>, names: Signal<String, Never>, bag: DisposableBag) {
  _ = numbers.asObservable()
  _ = numbers.observe(on: background)
  _ = numbers.withLatestFrom(names)
  _ = numbers.takeUntil(names)
  _ = numbers.do(onNext: { print($0) })
  numbers.subscribe(onNext: { print($0) }).disposed(by: bag)
  bag.dispose()
}
