import Reactive

func mistake(failing: Signal<Int, SearchError>, texts: Signal<String, ParseError>) {
  _ = combineLatest(failing, texts).map { $0 + $1.count }
}
