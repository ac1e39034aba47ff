import Reactive

extension Corpus {
  static let baskets = [
    Program("baskets-1", "bag-never-emptied") {
      let users = Subject<Int, Never>()
      let bag = DisposableBag()
      await every(12, times: 60) { user in
        users.signal.filter { $0 == user }.subscribe { _ in }.store(in: bag)
        users.send(user)
      }
      return (users, bag)
    },
    Program("baskets-2", "bag-never-emptied") {
      let users = Subject<Int, Never>()
      let all = CompositeDisposable()
      await every(12, times: 50) { user in
        all.add(users.signal.filter { $0 == user }.subscribe { _ in })
        all.add(users.signal.map { $0 + user }.take(while: { $0 >= 0 }).subscribe { _ in })
        users.send(user)
      }
      return (users, all)
    },
    Program("baskets-3", nil) {
      let users = Subject<Int, Never>()
      let bag = DisposableBag()
      await every(12, times: 60) { user in
        users.signal.filter { $0 == user }.subscribe { _ in }.store(in: bag)
        if user % 10 == 9 { bag.empty() }
      }
      return (users, bag)
    },
    Program("baskets-4", nil) {
      let users = Subject<Int, Never>()
      let bag = DisposableBag()
      await every(12, times: 60) { user in
        users.signal.take(2).subscribe { _ in }.store(in: bag)
        users.send(user)
      }
      return (users, bag)
    },
  ]

  static let plans = [
    Program("plans-1", "never-subscribed") {
      for part in 0..<3 {
        let saving = Signal<Int, Never>.create { observer in
          observer.send(part)
          observer.complete()
        }
        withExtendedLifetime(saving) {}
      }
      await pause(50)
      return 0
    },
    Program("plans-2", "never-subscribed") {
      func send(_ part: Int) -> Signal<String, Never> {
        Signal<Int, Never>.fromCallback { callback in callback(.success(part)) }.map { "\($0)" }
      }
      await every(10, times: 5) { _ = send($0) }
      return 0
    },
    Program("plans-3", nil) {
      for part in 0..<3 {
        let saving = Signal<Int, Never>.create { observer in
          observer.send(part)
          observer.complete()
        }
        saving.subscribe { _ in }
      }
      await pause(50)
      return 0
    },
    Program("plans-4", nil) {
      func send(_ part: Int) -> Signal<String, Never> {
        Signal<Int, Never>.fromCallback { callback in callback(.success(part)) }.map { "\($0)" }
      }
      var plans: [Signal<String, Never>] = []
      await every(10, times: 5) { plans.append(send($0)) }
      return plans
    },
  ]

  static let failures = [
    Program("failures-1", "unhandled-error") {
      let pages = Signal<Int, Refusal>.create { observer in
        observer.send(1)
        observer.fail(Refusal())
      }
      pages.map { $0 + 1 }.subscribe { _ in }
      await pause(50)
      return pages
    },
    Program("failures-2", "unhandled-error") {
      let numbers = Subject<Int, Never>()
      let parsed = numbers.signal.promoteFailure(to: Refusal.self)
        .deliver(on: QueueScheduler(label: "parsing"))
        .tryMap { value throws(Refusal) in
          if value == 5 { throw Refusal() }
          return value
        }
      let handle = parsed.subscribe { _ in }
      await every(10, times: 10) { numbers.send($0) }
      return (numbers, handle)
    },
    Program("failures-3", nil) {
      let pages = Signal<Int, Refusal>.create { observer in
        observer.send(1)
        observer.fail(Refusal())
      }
      pages.map { $0 + 1 }.subscribe(next: { _ in }, failed: { _ in })
      await pause(50)
      return pages
    },
    Program("failures-4", nil) {
      let pages = Signal<Int, Refusal>.create { observer in
        observer.send(1)
        observer.fail(Refusal())
      }
      pages.retry(2).catch { _ in Signal<Int, Refusal>.just(0) }.subscribe { _ in }
      await pause(50)
      return pages
    },
  ]
}
