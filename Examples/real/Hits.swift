import Reactive
import ReactiveTrace
import Synchronization

/// A search over all code of a company: results come in a stream together with the progress of the
/// search; suggestions are shown while the words are typed.
///
/// Rebuilt from sourcegraph/sourcegraph-public-snapshot#23736. The events of the stream were
/// debounced, but the stream never paused, so nothing was shown before the search was over.
extension Real {
  static let hits = Report("hits", "nothing until the end") { version in
    let server = SearchServer()
    let page = SearchPage(server, version)
    for words in ["error", "retry", "queue"] {
      await page.type(words)
      await pause(200)
      page.submit()
      await pause(800)
      page.noteWhatIsThere()
      await pause(400)
      Trace.mark(words)
    }
    print("hits: \(page.early.value) of 3 searches showed something before they were over")
    return [server, page]
  }
}

private enum Found: Sendable {
  case match(String)
  case progress(Int)
}

private struct Results: Sendable {
  var matches: [String] = []
  var percent = 0
}

/// Searches one repository after the other, and reports its progress.
private final class SearchServer: Sendable {
  private let queue = QueueScheduler(label: "search")

  func search(_ words: String) -> Signal<Found, Never> {
    let progress = Signal.interval(.milliseconds(50), on: queue)
      .take(18)
      .map { Found.progress(($0 + 1) * 100 / 18) }
    let matches = Signal.interval(.milliseconds(180), on: queue)
      .take(5)
      .map { Found.match("\(words) in file \($0)") }
    return progress.merge(with: matches)
  }

  func suggestions(_ words: String) -> Signal<[String], Never> {
    Signal.timer(after: .milliseconds(40), on: queue).map { [words + "s", words + "ing"] }
  }
}

extension Signal where Failure == Never {
  /// Debounces on the background queue, and delivers on the main queue.
  fileprivate func settled(_ pause: Duration) -> Signal {
    debounce(pause, on: .background).deliver(on: .main)
  }

  /// Throttles on the background queue, and delivers on the main queue.
  fileprivate func paced(_ pause: Duration) -> Signal {
    throttle(pause, on: .background).deliver(on: .main)
  }
}

private final class SearchPage: Sendable {
  let early = Counter()
  private let words = MutableProperty("", "words")
  private let submitted = Subject<String, Never>("submitted")
  private let suggestions = MutableProperty<[String]>([], "suggestions")
  private let shown = MutableProperty(Results(), "shown")
  private let scroll = MutableProperty(0, "scroll")
  private let bag = DisposableBag()

  init(_ server: SearchServer, _ version: Version) {
    words.signal.filter { !$0.isEmpty }
      .settled(.milliseconds(150))
      .flatMapLatest { server.suggestions($0) }
      .bind(to: suggestions)
      .store(in: bag)
    submitted.signal.flatMapLatest { words in
      let results = server.search(words).scan(Results(), Self.add)
      let drawn =
        version == .fixed
        ? results.paced(.milliseconds(200))
        : results.settled(.milliseconds(200))  // blame
      return drawn.startWith(Results())
    }
    .bind(to: shown)
    .store(in: bag)
    shown.signal.map(\.matches.count).distinctUntilChanged()
      .bind(to: scroll)
      .store(in: bag)
    scroll.signal.settled(.milliseconds(100)).subscribe { _ in }.store(in: bag)
    Signal.interval(.milliseconds(70), on: .main)
      .paced(.milliseconds(300))
      .subscribe { _ in }
      .store(in: bag)
  }

  func type(_ text: String) async {
    for length in 1...text.count {
      words.value = String(text.prefix(length))
      await pause(30)
    }
  }

  func submit() { submitted.send(words.value) }

  func noteWhatIsThere() {
    if !shown.value.matches.isEmpty { early.add() }
  }

  @Sendable
  private static func add(_ results: Results, _ found: Found) -> Results {
    var results = results
    switch found {
    case .match(let match): results.matches.append(match)
    case .progress(let percent): results.percent = percent
    }
    return results
  }
}
