import Reactive

func slip(failing: Signal<Int, SearchError>, user: User) {
  _ = failing.flatMap { _ in user }
}
