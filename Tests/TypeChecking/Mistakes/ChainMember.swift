import Reactive

func mistake(users: Signal<User, Never>) {
  _ = users.map { $0.name }.filter { $0.isEmty }.map { $0.count }.subscribe { print($0) }
}
