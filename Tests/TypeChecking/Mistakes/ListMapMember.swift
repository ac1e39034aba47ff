import Reactive

func mistake(users: [User]) {
  _ = users.lazyList.map { $0.agee }
}
