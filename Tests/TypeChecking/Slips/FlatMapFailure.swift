import Reactive

func slip(failing: Signal<Int, SearchError>, texts: Signal<String, ParseError>) {
  _ = failing.flatMap { _ in texts }
}
