import Reactive

func mistake(failing: Signal<Int, SearchError>, user: User) {
  _ = failing.flatMap { _ in user }
}
