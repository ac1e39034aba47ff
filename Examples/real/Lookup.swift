import Reactive
import Synchronization

/// A search for people, places and groups, each with its own field.
///
/// Rebuilt from ReactiveX/RxSwift#611. An answer should be dropped when another letter is typed,
/// but each request was ended by the current query, so that it was cancelled at once.
extension Real {
  static let lookup = Report("lookup", "no answers in one field") { version in
    let service = SearchService()
    let form = SearchForm(service, version)
    for word in ["a", "ab", "abc", "b", "bc", "bcd"] {
      form.people.value = word
      await pause(60)
      form.places.value = word
      await pause(260)
      form.groups.value = word
      await pause(220)
    }
    await pause(200)
    let answers = form.answers.withLock { $0 }
    print(
      "people \(answers["people", default: 0]), places \(answers["places", default: 0]),"
        + " groups \(answers["groups", default: 0]) answers; \(service.asked.count) requests"
    )
    return (service, form)
  }
}

/// Answers after a while.
private final class SearchService: Sendable {
  let asked = Tally()
  private let queue = QueueScheduler(label: "search service")

  func find(_ kind: String, _ word: String) -> Signal<[String], Never> {
    Signal.deferred { [self] in
      asked.add()
      return Signal.timer(after: .milliseconds(120), on: queue)
        .map { (1...3).map { "\(kind) \(word) \($0)" } }
    }
  }
}

/// The search fields and their results.
private final class SearchForm: Sendable {
  let people = MutableProperty("", "people")
  let places = MutableProperty("", "places")
  let groups = MutableProperty("", "groups")
  let answers = Mutex<[String: Int]>([:])
  private let list = MutableProperty<[String]>([], "list")
  private let bag = DisposableBag()

  init(_ service: SearchService, _ version: Version) {
    let words = typed(people)
    let found = words.flatMap { [people] word in
      version == .fixed
        ? service.find("people", word).take(until: people.signal.skip(1))
        : service.find("people", word).take(until: people.signal)  // blame
    }
    show("people", found)
    show("places", typed(places).flatMapLatest { service.find("places", $0) })
    show("groups", typed(groups).concatMap { service.find("groups", $0) })
    people.signal.map(\.count).filter { $0 > 20 }.subscribe { [list] _ in list.value = [] }
      .store(in: bag)
  }

  /// Sends what is typed into a field, without repetitions.
  private func typed(_ field: MutableProperty<String>) -> Signal<String, Never> {
    field.signal.filter { !$0.isEmpty }.distinctUntilChanged()
  }

  private func show(_ kind: String, _ results: Signal<[String], Never>) {
    results.deliver(on: .ui)
      .subscribe(with: self) { form, found in
        form.answers.withLock { $0[kind, default: 0] += 1 }
        form.list.value = found
      }
      .store(in: bag)
  }
}

/// A thread-safe counter.
private final class Tally: Sendable {
  private let total = Atomic(0)
  var count: Int { total.load(ordering: .relaxed) }
  func add() { total.add(1, ordering: .relaxed) }
}
