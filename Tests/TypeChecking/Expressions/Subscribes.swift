// At most 1000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(failing: Signal<Int, SearchError>, users: Signal<User, Never>) {
  failing.subscribe(next: { print($0) }, failed: { print($0.code) }, completed: { print("done") })
  failing.subscribe { number in
    print(number)
  } failed: { error in
    print(error.code)
  }
  users.subscribe { user in
    let text = "\(user.name) is \(user.age)"
    print(text)
  }
  users.deliver(on: .main).subscribe { print($0.name) }
  users.subscribeOnMainActor { print($0.name) }
  let bag = DisposableBag()
  users.map { $0.age }.filter { $0 > 3 }.subscribe { print($0) }.store(in: bag)
  users.map(\.name).subscribe(next: show)
  users.subscribe { print($0.name, $0.age, $0.tags.map { $0.count }) }
}
