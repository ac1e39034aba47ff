import Reactive

func slip(users: Signal<User, Never>) {
  users.subscribe { user in
    let text = user.nam
    print(text)
  }
}
