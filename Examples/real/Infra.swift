import Reactive
import Synchronization

/// The page of a server in an automation console: it lists organizations and keys, and new ones are
/// made in a dialog. A store holds the status of each request.
///
/// Rebuilt from chef/automate#3270. The page subscribed to a status of the store in a method called
/// for each new organization: subscriptions piled up, and one success showed several messages.
extension Real {
  static let infra = Report("infra", "handled again and again") { version in
    let store = Store()
    let page = ServerPage(store, version)
    let header = Header(store)
    for round in 1...6 {
      page.addOrganization("organization \(round)")
      await pause(200)
      page.addKey("key \(round)")
      await pause(150)
      if round.isMultiple(of: 2) { page.deleteKey("key \(round)") }
      await pause(200)
    }
    print("infra: \(page.messages.value) messages for 6 new organizations")
    return [store, page, header] as [Any]
  }
}

private enum Status: Equatable, Sendable {
  case idle, loading
  case success(String)
}

/// What the console knows, and the requests that change it.
private final class Store: Sendable {
  let organizations = MutableProperty<[String]>([], "organizations")
  let keys = MutableProperty<[String]>([], "keys")
  let newOrganization = MutableProperty(Status.idle, "new organization")
  let newKey = MutableProperty(Status.idle, "new key")
  let deletedKey = MutableProperty(Status.idle, "deleted key")
  private let queue = QueueScheduler(label: "api")

  func createOrganization(_ name: String) {
    request(newOrganization, name) { [organizations] in organizations.modify { $0.append(name) } }
  }

  func createKey(_ name: String) {
    request(newKey, name) { [keys] in keys.modify { $0.append(name) } }
  }

  func deleteKey(_ name: String) {
    request(deletedKey, name) { [keys] in keys.modify { $0.removeAll { $0 == name } } }
  }

  private func request(
    _ status: MutableProperty<Status>,
    _ name: String,
    then change: @escaping @Sendable () -> Void
  ) {
    status.value = .loading
    Signal.timer(after: .milliseconds(60), on: queue).subscribe { _ in
      change()
      status.value = .success(name)
    }
  }
}

extension MutableProperty where Value == Status {
  /// The names of requests that succeed from now on.
  fileprivate var successes: Signal<String, Never> {
    signal.skip(1).compactMap { if case .success(let name) = $0 { name } else { nil } }
  }
}

private final class ServerPage: Sendable {
  let messages = Counter()
  private let store: Store
  private let version: Version
  private let keyMessages = Counter()
  private let dialog = MutableProperty(false, "dialog")
  private let rows = MutableProperty(0, "rows")
  private let bag = DisposableBag()

  init(_ store: Store, _ version: Version) {
    self.store = store
    self.version = version
    combineLatest(store.organizations.signal, store.keys.signal) { $0.count + $1.count }
      .bind(to: rows)
      .store(in: bag)
    store.newKey.successes.deliver(on: .main)
      .subscribe { [keyMessages] _ in keyMessages.add() }
      .store(in: bag)
    if version == .fixed { tellOfOrganizations() }
  }

  func addOrganization(_ name: String) {
    dialog.value = true
    if version != .fixed { tellOfOrganizations() }  // blame
    store.createOrganization(name)
  }

  func addKey(_ name: String) {
    dialog.value = true
    // One success is enough, because the dialog is closed only once.
    store.newKey.successes.take(1).deliver(on: .main)
      .subscribe { [dialog] _ in dialog.value = false }
      .store(in: bag)
    store.createKey(name)
  }

  func deleteKey(_ name: String) {
    store.deletedKey.successes.take(1).deliver(on: .main)
      .subscribe { [keyMessages] _ in keyMessages.add() }
      .store(in: bag)
    store.deleteKey(name)
  }

  private func tellOfOrganizations() {
    store.newOrganization.successes.deliver(on: .main)
      .subscribe { [messages, dialog] _ in  // blame, too
        messages.add()
        dialog.value = false
      }
      .store(in: bag)
  }
}

/// Shows the number of organizations, and refreshes at an interval.
private final class Header: Sendable {
  private let title = MutableProperty("", "title")
  private let bag = DisposableBag()

  init(_ store: Store) {
    store.organizations.signal.map { "\($0.count) organizations" }.bind(to: title).store(in: bag)
    Signal.interval(.milliseconds(300), on: .main)
      .withLatest(from: store.keys.signal)
      .subscribe { _ in }
      .store(in: bag)
  }
}
