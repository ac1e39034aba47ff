import Reactive

/// An organisation on a blockchain: its installed apps and permissions are read from events, which
/// arrive one after the other while the chain is read. There is a search field, too.
///
/// Rebuilt from aragon/aragon.js#315. As long as events came in, the list of apps could remain
/// unchanged for any length of time.
extension Real {
  static let permits = Report("permits", "a list that comes late") { version in
    let organisation = Organisation()
    let client = Client(organisation, version)
    organisation.sync(events: 55)
    for word in ["vote", "token", "agent"] {
      for length in 1...word.count {
        client.search(String(word.prefix(length)))
        await pause(60)
      }
      await pause(750)
    }
    let shown = client.shown.value
    let often = shown > 3 ? "again and again" : "\(shown) times"
    print("permits: while the chain was read the list was shown \(often)")
    return [organisation, client] as [Any]
  }
}

private struct Permission: Hashable, Sendable {
  var app: String
  var entity: String
}

private final class Organisation: Sendable {
  let permissions = MutableProperty<Set<Permission>>([], "permissions")
  let block = MutableProperty(0, "block")
  private let queue = QueueScheduler(label: "chain")
  private let bag = DisposableBag()

  /// Reads the chain, in which each event grants a permission.
  func sync(events count: Int) {
    Signal.interval(.milliseconds(60), on: queue)
      .take(count)
      .subscribe { [permissions, block] number in
        permissions.modify {
          $0.insert(Permission(app: "app \(number / 4)", entity: "member \(number)"))
        }
        block.value = number * 100
      }
      .store(in: bag)
  }
}

@MainActor
private final class Client {
  let shown = Counter()
  private let words = MutableProperty("", "word")
  private let apps = MutableProperty<[String]>([], "apps")
  private let hits = MutableProperty<[String]>([], "hits")
  private let height = MutableProperty("", "height")
  private let queue = QueueScheduler(label: "client")
  private let bag = DisposableBag()

  init(_ organisation: Organisation, _ version: Version) {
    let granted = organisation.permissions.signal.filter { !$0.isEmpty }
    let settled =
      version == .fixed
      ? granted.throttle(.milliseconds(400), on: queue)
      : granted.debounce(.milliseconds(300), on: queue)  // blame
    show(settled.map(Self.installed), in: apps)
    apps.signal.filter { !$0.isEmpty }.subscribe { [shown] _ in shown.add() }.store(in: bag)

    let typed = words.signal.debounce(.milliseconds(300), on: queue).distinctUntilChanged()
    show(typed.flatMapLatest { [queue] in Self.look(for: $0, on: queue) }, in: hits)
    show(
      organisation.block.signal
        .throttle(.milliseconds(250), on: queue)
        .map { "block \($0)" }
        .distinctUntilChanged(),
      in: height
    )
    show(
      height.signal.debounce(.milliseconds(100), on: queue).map { "\($0), read" }.map { [$0] },
      in: MutableProperty<[String]>([], "state")
    )
  }

  func search(_ word: String) { words.value = word }

  nonisolated private static func installed(_ permissions: Set<Permission>) -> [String] {
    Set(permissions.map(\.app)).sorted()
  }

  nonisolated private static func look(
    for word: String,
    on queue: QueueScheduler
  ) -> Signal<[String], Never> {
    Signal.timer(after: .milliseconds(50), on: queue).map { _ in ["\(word) 1", "\(word) 2"] }
  }

  private func show<Value>(_ values: Signal<Value, Never>, in place: MutableProperty<Value>) {
    values.deliver(on: .main).bind(to: place).store(in: bag)
  }
}
