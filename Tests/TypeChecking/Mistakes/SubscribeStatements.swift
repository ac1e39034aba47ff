import Reactive

func mistake(users: Signal<User, Never>) {
  users.subscribe { user in
    let text = user.nam
    print(text)
  }
}
