import Reactive
import Synchronization

/// An archive with a search form: while a query runs, a spinner is up and no other query can start.
///
/// Rebuilt from dasch-swiss/dsp-app#3096, whose review found that the flag behind the spinner was
/// reset only when results came, not when a request failed: then no query can run any more.
extension Real {
  static let archive = Report("archive", "spins for ever") { version in
    let library = ArchiveServer()
    let search = SearchPage(library, version)
    let detail = DetailPage(library)
    for query in ["letter", "map", "seal", "???", "charter", "coin", "print", "diary"] {
      search.execute(query)
      await pause(160)
      search.recount()
      detail.open("item of \(query)")
      await pause(160)
    }
    print("archive: \(search.answers.value) of 7 answers, the spinner is \(search.spinner)")
    return [library, search, detail] as [Any]
  }
}

private struct BadQuery: Error {}

private final class ArchiveServer: Sendable {
  private let queue = QueueScheduler(label: "archive")

  func find(_ query: String) -> Signal<[String], BadQuery> {
    Signal.timer(after: .milliseconds(60), on: queue).tryMap { _ throws(BadQuery) in
      if query.hasPrefix("?") { throw BadQuery() }
      return (1...3).map { "\(query) \($0)" }
    }
  }

  /// Fails for items that have been lost.
  func item(_ name: String) -> Signal<String, BadQuery> {
    Signal.timer(after: .milliseconds(50), on: queue).tryMap { _ throws(BadQuery) in
      if name.hasSuffix("seal") { throw BadQuery() }
      return "picture of \(name)"
    }
  }

  /// Counts the items; never fails.
  func count() -> Signal<Int, Never> {
    Signal.timer(after: .milliseconds(40), on: queue).map { 40_000 }
  }
}

/// Covers a part of the page, and blocks requests while it is up.
private final class Cover: Sendable {
  let isUp: MutableProperty<Bool>

  init(_ name: String) { isUp = MutableProperty(false, name) }

  func raise() { isUp.value = true }

  func lower() { isUp.value = false }
}

extension Signal where Failure == Never {
  /// Starts a request if none is being executed.
  fileprivate func admitted(by cover: Cover) -> Signal<Value, Never> {
    withLatest(from: cover.isUp.signal)
      .compactMap { request, isUp in isUp ? nil : request }
      .doNext { _ in cover.raise() }
  }
}

private final class SearchPage: Sendable {
  let answers = Counter()
  private let queries = Subject<String, Never>("queries")
  private let counts = Subject<Void, Never>("counts")
  private let results = MutableProperty<[String]>([], "results")
  private let total = MutableProperty(0, "total")
  private let executing = Cover("executing")
  private let counting = Cover("counting")
  private let bag = DisposableBag()

  var spinner: String { executing.isUp.value ? "on" : "off" }

  init(_ server: ArchiveServer, _ version: Version) {
    let executing = executing
    let counting = counting
    queries.signal.admitted(by: executing)
      .flatMapFirst { query -> Signal<[String], Never> in
        let found = server.find(query)
        let answer =
          version == .fixed
          ? found.finally { executing.lower() }
          : found.doNext { _ in executing.lower() }  // blame
        return answer.replaceFailure(with: [])
      }
      .deliver(on: .main)
      .subscribe { [answers, results] found in
        if !found.isEmpty { answers.add() }
        results.value = found
      }
      .store(in: bag)
    counts.signal.admitted(by: counting)
      .flatMapFirst { server.count().doNext { _ in counting.lower() } }
      .bind(to: total)
      .store(in: bag)
    Signal.interval(.milliseconds(400), on: .main)
      .withLatest(from: results.signal)
      .subscribe { _ in }
      .store(in: bag)
  }

  func execute(_ query: String) { queries.send(query) }

  func recount() { counts.send() }
}

private final class DetailPage: Sendable {
  private let items = Subject<String, Never>("items")
  private let picture = MutableProperty("", "picture")
  private let loading = Cover("loading")
  private let bag = DisposableBag()

  init(_ server: ArchiveServer) {
    let loading = loading
    items.signal.admitted(by: loading)
      .flatMapFirst { name in
        server.item(name).finally { loading.lower() }.replaceFailure(with: "nothing")
      }
      .deliver(on: .main)
      .bind(to: picture)
      .store(in: bag)
  }

  func open(_ name: String) { items.send(name) }
}
