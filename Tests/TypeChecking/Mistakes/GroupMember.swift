import Reactive

func mistake(users: Signal<User, Never>) {
  _ = users.groupBy { $0.age }.flatMap { group in group.scan(0) { $0 + $1.agee } }
}
