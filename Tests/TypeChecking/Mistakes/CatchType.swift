import Reactive

func mistake(failing: Signal<Int, SearchError>) {
  _ = failing.catch { _ in .just("none") }.map { $0 + 1 }
}
