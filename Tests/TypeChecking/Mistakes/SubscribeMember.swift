import Reactive

func mistake(users: Signal<User, Never>) {
  users.subscribe { print($0.nam) }
}
