import Reactive
import ReactiveTrace
import Synchronization

/// A clipboard shared by several computers: those nearby are discovered on the network and listed,
/// and what is known about them is kept in a database.
///
/// Rebuilt from CrossPaste/crosspaste-desktop#3876. The code that combined the two lists also
/// updated the database, which sent its list again: there were needless writes without end.
extension Real {
  static let nearby = Report("nearby", "the database does not rest") { version in
    let database = Database()
    let devices = Devices(database, version)
    for round in 1...6 {
      devices.discover(Device(name: "computer \(round % 3)", hosts: ["host \(round)", "router"]))
      await pause(150)
      devices.paste("text \(round)  ")
      await pause(100)
      Trace.mark("discovery \(round)")
    }
    await pause(200)
    let before = database.writes.value
    await pause(600)
    let isAtRest = database.writes.value - before < 2
    print("nearby: nothing is discovered, the database is \(isAtRest ? "at rest" : "written to")")
    return [database, devices] as [Any]
  }
}

private struct Device: Equatable, Sendable {
  let name: String
  var hosts: [String]

  /// Puts the last known host first.
  func merged(with known: Device) -> Device {
    Device(name: name, hosts: known.hosts.suffix(1) + hosts.filter { $0 != known.hosts.last })
  }
}

private final class Database: Sendable {
  let known = MutableProperty<[Device]>([], "known")
  let writes = Counter()
  private let queue = QueueScheduler(label: "database")
  private let underWay = Mutex<Set<String>>([])

  /// Sends the list again after a write; one write of each device runs at a time.
  func write(_ device: Device) {
    guard underWay.withLock({ $0.insert(device.name).inserted }) else { return }
    Signal.timer(after: .milliseconds(20), on: queue).subscribe { [weak self] in
      guard let self else { return }
      writes.add()
      underWay.withLock { _ = $0.remove(device.name) }
      known.modify { $0 = $0.filter { $0.name != device.name } + [device] }
    }
  }
}

private final class Devices: Sendable {
  private let database: Database
  private let version: Version
  private let discovered = MutableProperty<[Device]>([], "discovered")
  private let blocked = MutableProperty<[String]>(["computer 9"], "blocked")
  private let list = MutableProperty<[String]>([], "list")
  private let heading = MutableProperty("", "heading")
  private let clipboard = MutableProperty("", "clipboard")
  private let search = MutableProperty("", "search")
  private let bag = DisposableBag()

  init(_ database: Database, _ version: Version) {
    self.database = database
    self.version = version
    let unknown = combineLatest(discovered.signal, database.known.signal) {  // blame
      [database] found, known in
      if version != .fixed {
        for device in found { update(database, with: device, known) }  // blame, too
      }
      return found.filter { device in !known.contains { $0.name == device.name } }
    }
    combineLatest(unknown, blocked.signal) { devices, blocked in
      devices.map(\.name).filter { !blocked.contains($0) }
    }
    .deliver(on: .main)
    .bind(to: list)
    .store(in: bag)
    combineLatest(database.known.signal, list.signal) { "\($0.count) known, \($1.count) new" }
      .distinctUntilChanged()
      .deliver(on: .main)
      .bind(to: heading)
      .store(in: bag)
    // Spaces at the end of pasted text are removed.
    clipboard.signal.map(trimmed)
      .distinctUntilChanged()
      .deliver(on: .main)
      .subscribe { [clipboard] in clipboard.value = $0 }
      .store(in: bag)
    let ticks = Signal.interval(.milliseconds(200), on: .main)
    combineLatest(clipboard.signal, ticks) { "\($0) \($1)" }
      .bind(to: search)
      .store(in: bag)
  }

  func discover(_ device: Device) {
    discovered.modify { $0 = $0.filter { $0.name != device.name } + [device] }
    if version == .fixed { update(database, with: device, database.known.value) }
  }

  func paste(_ text: String) { clipboard.value = text }
}

/// Writes a device if it differs from what is known.
private func update(_ database: Database, with device: Device, _ known: [Device]) {
  let earlier = known.first { $0.name == device.name }
  let merged = earlier.map(device.merged) ?? device
  if merged != earlier { database.write(merged) }
}

private func trimmed(_ text: String) -> String {
  String(text.reversed().drop { $0 == " " }.reversed())
}
