import Reactive

func mistake(users: Signal<User, Never>) {
  _ = users.scan(0) { $0 + $1.agee }
}
