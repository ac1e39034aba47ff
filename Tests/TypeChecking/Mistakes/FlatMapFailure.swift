import Reactive

func mistake(failing: Signal<Int, SearchError>, texts: Signal<String, ParseError>) {
  _ = failing.flatMap { _ in texts }
}
