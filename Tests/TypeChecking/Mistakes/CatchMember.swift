import Reactive

func mistake(failing: Signal<Int, SearchError>) {
  failing.catch { _ in .just(0) }.subscribe { print($0.nam) }
}
