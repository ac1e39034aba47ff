import Reactive

func slip(users: Signal<User, Never>) {
  users.subscribe { print($0.nam) }
}
