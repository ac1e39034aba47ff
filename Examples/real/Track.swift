import Reactive
import Synchronization

/// A delivery app: it sends its position to the office, searches for addresses as they are typed,
/// and saves notes.
///
/// Rebuilt from ReactiveX/RxSwift#127. Of the phone's positions, which come all the time, none
/// passed the debounce: the rest of the chain was never called.
extension Real {
  static let track = Report("track", "starved debounce") { version in
    let phone = Phone()
    let office = Office()
    let courier = Courier(phone, office, version)
    for word in ["mill lane", "high street", "old square"] {
      for end in word.indices {
        courier.address.value = String(word[...end])
        await pause(30)
      }
      courier.note.value = "delivered to \(word)"
      await pause(900)
    }
    await pause(400)
    print("\(office.count(of: "position")) positions sent, \(office.count(of: "search")) searches")
    return courier
  }
}

private final class Phone: Sendable {
  private let queue = QueueScheduler(label: "phone")

  /// Sends the distance travelled, in kilometers.
  var positions: Signal<Double, Never> {
    Signal.interval(.milliseconds(120), on: queue).map { Double($0) * 0.1 }.share()
  }

  /// Sends the remaining charge in percent.
  var battery: Signal<Int, Never> {
    Signal.interval(.milliseconds(700), on: queue).map { 90 - $0 }
  }
}

private final class Office: Sendable {
  private let requests = Mutex<[String: Int]>([:])
  private let queue = QueueScheduler(label: "office")

  func count(of kind: String) -> Int { requests.withLock { $0[kind, default: 0] } }

  /// Sends a message to the office for each subscription.
  func post(_ kind: String, _ text: String) -> Signal<String, Never> {
    Signal.deferred { [self] in
      requests.withLock { $0[kind, default: 0] += 1 }
      return Signal.timer(after: .milliseconds(40), on: queue).map(to: "\(kind) \(text)")
    }
  }
}

private final class Courier: Sendable {
  let address = MutableProperty("", "address")
  let note = MutableProperty("", "note")
  private let office: Office
  private let status = MutableProperty("", "status")
  private let bag = DisposableBag()

  init(_ phone: Phone, _ office: Office, _ version: Version) {
    self.office = office
    let positions = phone.positions
    let calm = QueueScheduler.background
    let places =
      version == .fixed
      ? positions.throttle(.milliseconds(500), on: calm)
      : positions.debounce(.milliseconds(500), on: calm)  // blame
    send("position", places.map { "\($0) km" })
    send("search", address.signal.skip(1).debounce(.milliseconds(300), on: calm))
    send("note", note.signal.skip(1).debounce(.milliseconds(200), on: calm))
    send("battery", phone.battery.map { "\($0) %" })

    // The map shows positions without the office.
    positions.map { "at \($0)" }
      .deliver(on: .main)
      .subscribe { [status] text in status.value = text }
      .store(in: bag)
    status.signal.distinctUntilChanged().subscribe { _ in }.store(in: bag)
  }

  private func send(_ kind: String, _ texts: Signal<String, Never>) {
    texts.flatMapLatest { [office] text in office.post(kind, text) }
      .subscribe { _ in }
      .store(in: bag)
  }
}
