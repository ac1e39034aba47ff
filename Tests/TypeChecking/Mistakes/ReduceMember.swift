import Reactive

func mistake(users: Signal<User, Never>) {
  _ = users.reduce(0) { sum, user in sum + user.agee }
}
