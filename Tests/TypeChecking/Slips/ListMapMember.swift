import Reactive

func slip(users: [User]) {
  _ = users.lazyList.map { $0.agee }
}
