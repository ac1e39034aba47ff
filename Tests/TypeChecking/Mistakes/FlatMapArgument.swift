import Reactive

func mistake(users: Signal<User, Never>) {
  _ = users.flatMap { user($0.idd) }
}
