import Reactive
import Synchronization

/// A library's manual on the web, with a search box: results come while the user types, and
/// whenever the box gets the focus.
///
/// Rebuilt from angular/angular#23711. The box searched for the same words again: keys that change
/// nothing and clicks into the box caused searches for what had already been found.
extension Real {
  static let manual = Report("manual", "searches for nothing new") { version in
    let index = Index()
    let box = SearchBox()
    let site = Site(index, box, version)
    for word in ["map", "filter", "zip", "merge"] {
      box.focus()
      box.type(word)
      await pause(250)
      for _ in 0..<2 {
        box.press(.arrow)
        await pause(215)
      }
      box.press(.shift)
      site.open("page of \(word)")
      await pause(270)
    }
    print("manual: 4 words were looked for in \(index.searches) searches")
    return [index, box, site] as [Any]
  }
}

private enum Key: Sendable, Equatable {
  case letter(Character)
  case arrow
  case shift
  case escape
}

private final class Index: Sendable {
  private let queue = QueueScheduler(label: "index")
  private let counts = Mutex<[String: Int]>([:])

  var searches: Int { counts.withLock { $0["search", default: 0] } }

  func search(_ words: String) -> Signal<[String], Never> {
    answer("search", after: 60) { ["\(words) function", "\(words) guide"] }
  }

  func page(_ name: String) -> Signal<String, Never> { answer("page", after: 40) { name } }

  /// The votes for a page, which other users change meanwhile.
  func votes() -> Signal<Int, Never> { answer("votes", after: 30) { 7 } }

  private func answer<Value: Sendable>(
    _ kind: String,
    after milliseconds: Int,
    _ make: @escaping @Sendable () -> Value
  ) -> Signal<Value, Never> {
    Signal.timer(after: .milliseconds(milliseconds), on: queue).map { [weak self] in
      self?.counts.withLock { $0[kind, default: 0] += 1 }
      return make()
    }
  }
}

private final class SearchBox: Sendable {
  let keys = Subject<Key, Never>("keys")
  let focused = Subject<Void, Never>("focused")
  private let words = Mutex("")

  var text: String { words.withLock { $0 } }

  func focus() { focused.send() }

  func type(_ word: String) {
    words.withLock { $0 = "" }
    for letter in word { press(.letter(letter)) }
  }

  func press(_ key: Key) {
    if case .letter(let letter) = key { words.withLock { $0.append(letter) } }
    keys.send(key)
  }
}

private final class Site: Sendable {
  private let results = MutableProperty<[String]>([], "results")
  private let pages = Subject<String, Never>("pages")
  private let shown = MutableProperty("", "shown")
  private let votes = MutableProperty(0, "votes")
  private let address = MutableProperty("", "address")
  private let bag = DisposableBag()

  init(_ index: Index, _ box: SearchBox, _ version: Version) {
    let used = merge(box.focused.signal, box.keys.signal.filter { $0 != .escape }.map { _ in })
    let typed = calm(used.map { box.text }).filter { !$0.isEmpty }
    let words = version == .fixed ? typed.distinctUntilChanged() : typed  // blame
    load(words, into: results) { index.search($0) }
    // The page is loaded once, and the votes after each action of the user.
    load(calm(pages.signal).distinctUntilChanged(), into: shown) { index.page($0) }
    load(calm(merge(used, pages.signal.map { _ in })), into: votes) { index.votes() }
    calm(pages.signal)
      .map { "manual/\($0)" }
      .distinctUntilChanged()
      .bind(to: address)
      .store(in: bag)
    combineLatest(results.signal.map(\.count), votes.signal)
      .subscribe()
      .store(in: bag)
  }

  func open(_ page: String) { pages.send(page) }

  /// Sends the latest value when the user has paused.
  private func calm<Value: Sendable>(_ values: Signal<Value, Never>) -> Signal<Value, Never> {
    values.debounce(.milliseconds(70), on: .main)
  }

  private func load<Value: Sendable, Result: Sendable>(
    _ values: Signal<Value, Never>,
    into place: MutableProperty<Result>,
    _ request: @escaping @Sendable (Value) -> Signal<Result, Never>
  ) {
    values.flatMapLatest(request).deliver(on: .main).bind(to: place).store(in: bag)
  }
}
