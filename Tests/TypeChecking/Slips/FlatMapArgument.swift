import Reactive

func slip(users: Signal<User, Never>) {
  _ = users.flatMap { user($0.idd) }
}
