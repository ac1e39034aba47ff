import Reactive

func slip(users: Signal<User, Never>) {
  _ = users.scan(0) { $0 + $1.agee }
}
