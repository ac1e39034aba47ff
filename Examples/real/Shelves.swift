import Reactive
import Synchronization

/// A library's start page: new books, books that were returned today, and the long books on the
/// user's shelf.
///
/// Rebuilt from ReactiveX/RxJava#3861. A list was flattened, and its elements were filtered and
/// collected into a list again; if the list came from a subject, users waited for ever.
extension Real {
  static let shelves = Report("shelves", "one list stays empty") { version in
    let library = Library()
    let page = StartPage(library, version)
    for round in 1...7 {
      library.lend("book \(round)", pages: 80 * round)
      await pause(200)
      page.refreshes.send()
      await pause(200)
    }
    await pause(200)
    print("7 books on the shelf, 3 of them long: the page lists \(page.count("long"))")
    return [library, page] as [Any]
  }
}

private struct Book: Sendable {
  let title: String
  let pages: Int
}

private final class Library: Sendable {
  /// The books that the user has borrowed.
  let shelf = MutableProperty<[Book]>([], "shelf")
  private let queue = QueueScheduler(label: "library")

  func lend(_ title: String, pages: Int) {
    shelf.modify { $0.append(Book(title: title, pages: pages)) }
  }

  /// Requests a list.
  func load(_ list: String) -> Signal<[Book], Never> {
    Signal.timer(after: .milliseconds(60), on: queue).map {
      (1...9).map { Book(title: "\(list) \($0)", pages: 70 * $0) }
    }
  }
}

extension Signal where Value == [Book], Failure == Never {
  /// The books that pass a test, as a list.
  fileprivate func only(_ test: @escaping @Sendable (Book) -> Bool) -> Signal<[Book], Never> {
    flatMap { Signal<Book, Never>.from($0) }
      .filter(test)
      .collect()  // blame, too
  }
}

private final class StartPage: Sendable {
  let refreshes = Subject<Void, Never>("refreshes")
  private let lists = Mutex<[String: [Book]]>([:])
  private let bag = DisposableBag()

  init(_ library: Library, _ version: Version) {
    let refreshes = refreshes.signal
    list("new", refreshes.flatMapLatest { library.load("new").only { $0.pages > 200 } })
    list("returned", refreshes.concatMap { library.load("returned").only { $0.pages < 300 } })
    list("advice", library.load("advice").only { $0.title.hasSuffix("1") })
    let shelf = library.shelf.signal
    list("all", shelf)
    if version == .fixed {
      list("long", shelf.flatMapLatest { Signal.just($0).only { $0.pages > 350 } })
    } else {
      list("long", shelf.only { $0.pages > 350 })  // blame
    }
    shelf.map { "\($0.count) books" }.distinctUntilChanged().subscribe { _ in }.store(in: bag)
  }

  func count(_ name: String) -> Int { lists.withLock { $0[name, default: []].count } }

  private func list(_ name: String, _ books: Signal<[Book], Never>) {
    books.deliver(on: .main).subscribe { [weak self] books in
      self?.lists.withLock { $0[name] = books }
    }
    .store(in: bag)
  }
}
