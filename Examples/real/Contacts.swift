import Reactive
import ReactiveTrace

/// An address book with editable tables: rows result from commands, the first of which loads the
/// server's rows. There are tables of contacts and groups; pictures are sent now and then.
///
/// Rebuilt from ReactiveX/RxSwift#1325. If the list could not be loaded because of the network, the
/// whole example stopped working, and nothing could be edited.
extension Real {
  static let contacts = Report("contacts", "cannot be edited") { version in
    let server = AddressServer()
    let alerts = Counter()
    let shown = Counter()
    for visit in 1...5 {
      server.isReachable.value = !visit.isMultiple(of: 2)
      let page = AddressPage(server, alerts, shown, version)
      await pause(150)
      for edit in 1...3 {
        page.contacts.send(.add("contact \(visit).\(edit)"))
        await pause(60)
        if edit == 2 { page.groups.send(.add("group \(visit)")) }
      }
      page.contacts.send(.removeFirst)
      page.pictures.send("picture \(visit)")
      await pause(150)
      Trace.mark("visit \(visit)")
      withExtendedLifetime(page) {}
    }
    print("contacts: \(shown.value) of 20 edits were shown, \(alerts.value) alerts")
    return [server, alerts, shown] as [Any]
  }
}

private enum TableCommand: Sendable {
  case load([String])
  case add(String)
  case removeFirst
}

private struct Unreachable: Error {}

private final class AddressServer: Sendable {
  let isReachable = MutableProperty(true, "is reachable")
  private let queue = QueueScheduler(label: "address server")

  func contacts() -> Signal<[String], Unreachable> { get(["Ada", "Ben", "Cleo"], 50) }

  func groups() -> Signal<[String], Unreachable> { get(["family", "work"], 70) }

  func upload(_ picture: String) -> Signal<[String], Unreachable> { get([picture], 30) }

  private func get(_ rows: [String], _ milliseconds: Int) -> Signal<[String], Unreachable> {
    Signal.timer(after: .milliseconds(milliseconds), on: queue)
      .tryMap { [isReachable] _ throws(Unreachable) in
        guard isReachable.value else { throw Unreachable() }
        return rows
      }
  }
}

private final class AddressPage: Sendable {
  let contacts = Subject<TableCommand, Never>("contact commands")
  let groups = Subject<TableCommand, Never>("group commands")
  let pictures = Subject<String, Never>("pictures")
  private let alerts: Counter
  private let header = MutableProperty("", "header")
  private let bag = DisposableBag()

  init(_ server: AddressServer, _ alerts: Counter, _ shown: Counter, _ version: Version) {
    self.alerts = alerts
    let contactRows = version == .fixed ? orNothing(server.contacts()) : server.contacts()  // blame
    table(contactRows, contacts) { rows in
      if rows.contains(where: { $0.hasPrefix("contact") }) { shown.add() }
    }
    table(orNothing(server.groups()), groups) { [header] in header.value = "\($0.count) groups" }
    pictures.signal
      .flatMap { picture in server.upload(picture).catch { _ in Signal<[String], Never>.empty() } }
      .subscribe { _ in }
      .store(in: bag)
    header.signal.distinctUntilChanged().deliver(on: .main).subscribe { _ in }.store(in: bag)
  }

  /// Shows the rows that result from the loaded ones and the edits of the user.
  private func table(
    _ loaded: Signal<[String], Unreachable>,
    _ edits: Subject<TableCommand, Never>,
    _ draw: @escaping @Sendable ([String]) -> Void
  ) {
    merge(loaded.map { TableCommand.load($0) }, edits.signal.promoteFailure())  // blame, too
      .deliver(on: .main)
      .scan([String]()) { rows, command in
        switch command {
        case .load(let loaded): loaded + rows
        case .add(let row): rows + [row]
        case .removeFirst: Array(rows.dropFirst())
        }
      }
      .subscribe(next: draw, failed: { [alerts] _ in alerts.add() })
      .store(in: bag)
  }

  /// Replaces a failure with an alert and no rows.
  private func orNothing(
    _ rows: Signal<[String], Unreachable>
  ) -> Signal<[String], Unreachable> {
    rows.catch { [alerts] _ in
      alerts.add()
      return Signal<[String], Unreachable>.empty()
    }
  }
}
