import Reactive
import ReactiveTrace

/// An address book with a list, a page for each person, and a search. Presenters run use cases, and
/// end them when their screen is closed.
///
/// Rebuilt from android10/Android-CleanArchitecture#68. When a list did not come at once, users
/// pressed "retry"; after that the app kept reading the list although no screen showed it.
extension Real {
  static let directory = Report("directory", "work for closed screens") { version in
    let directory = Directory()
    for visit in 1...6 {
      let list = ListPresenter(directory, version)
      list.open()
      await pause(120)
      list.retry()
      await pause(130)
      let person = PersonPresenter(directory, "person \(visit)", version)
      person.open()
      let search = SearchPresenter(directory, version)
      search.type("p\(visit)")
      await pause(200)
      search.close()
      person.close()
      list.close()
      Trace.mark("home")
    }
    let before = directory.reads.value
    await pause(600)
    let idle = directory.reads.value - before
    print("directory: all screens closed, \(idle > 12 ? "reads go on" : "\(idle) reads")")
    return directory
  }
}

private final class Directory: Sendable {
  let reads = Counter()
  private let queue = QueueScheduler(label: "directory")

  /// Sends the contents of a path at an interval.
  func read(_ path: String, every interval: Duration) -> Signal<String, Never> {
    Signal.interval(interval, on: queue).map { [reads] number in
      reads.add()
      return "\(path), edition \(number)"
    }
  }
}

/// A use case of the directory; the code that executes it also ends it.
@MainActor
private final class UseCase {
  private let make: () -> Signal<String, Never>
  private let version: Version
  private var running: (any Disposable)?

  init(_ version: Version, _ make: @escaping () -> Signal<String, Never>) {
    self.version = version
    self.make = make
  }

  func execute(_ show: @escaping @Sendable (String) -> Void) {
    if version == .fixed { end() }
    running = make().distinctUntilChanged().deliver(on: .main).subscribe(next: show)  // blame
  }

  func end() {
    running?.dispose()
    running = nil
  }
}

@MainActor
private final class ListPresenter {
  private let text = MutableProperty("", "list")
  private let people: UseCase
  private let groups: UseCase
  private let bag = DisposableBag()

  init(_ directory: Directory, _ version: Version) {
    people = UseCase(version) { directory.read("people", every: .milliseconds(80)) }
    groups = UseCase(version) { directory.read("groups", every: .milliseconds(110)) }
  }

  func open() {
    text.signal.map(\.count).subscribe { _ in }.store(in: bag)
    groups.execute { _ in }
    load()
  }

  func retry() {
    load()  // blame, too
  }

  func close() {
    people.end()
    groups.end()
    bag.empty()
  }

  private func load() { people.execute { [text] in text.value = $0 } }
}

@MainActor
private final class PersonPresenter {
  private let card = MutableProperty("", "card")
  private let person: UseCase

  init(_ directory: Directory, _ name: String, _ version: Version) {
    person = UseCase(version) { directory.read(name, every: .milliseconds(70)) }
  }

  func open() { person.execute { [card] in card.value = $0 } }

  func close() { person.end() }
}

/// Each letter starts a new search.
@MainActor
private final class SearchPresenter {
  private let found = MutableProperty("", "found")
  private let directory: Directory
  private let version: Version
  private var lookup: UseCase?

  init(_ directory: Directory, _ version: Version) {
    self.directory = directory
    self.version = version
  }

  func type(_ text: String) {
    for length in 1...text.count {
      lookup?.end()
      let part = String(text.prefix(length))
      let next = UseCase(version) { [directory] in directory.read(part, every: .milliseconds(60)) }
      next.execute { [found] in found.value = $0 }
      lookup = next
    }
  }

  func close() { lookup?.end() }
}
