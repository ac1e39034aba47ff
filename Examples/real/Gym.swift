import Reactive
import ReactiveTrace
import Synchronization

/// A gym's app: at the door the member opens a sheet, types a number and a PIN, and taps to be let
/// in; the PIN is often wrong at first.
///
/// Rebuilt from Moya/Moya#1825. One tap on the button made two requests instead of one.
extension Real {
  static let gym = Report("gym", "asks too often") { version in
    let server = GymServer()
    let app = GymApp(server, version)
    for visit in 1...5 {
      let sheet = app.open()
      sheet.number.value = "10\(visit)"
      sheet.pin.value = "1"
      sheet.pin.value = "12"
      await pause(60)
      sheet.enter.send()
      await pause(150)
      sheet.pin.value = "1"
      await pause(60)
      sheet.pin.value = "12\(visit)"
      await pause(100)
      sheet.enter.send()
      await pause(150)
      sheet.locker.value = visit
      sheet.claim.send()
      await pause(150)
      app.close()
      Trace.mark("visit \(visit)")
    }
    print(
      "gym: 10 taps made \(server.asked("admit")) requests, 5 lockers \(server.asked("locker"))"
    )
    return [server, app] as [Any]
  }
}

private final class GymServer: Sendable {
  private let queue = QueueScheduler(label: "gym server")
  private let requests = Mutex<[String: Int]>([:])

  func asked(_ kind: String) -> Int { requests.withLock { $0[kind, default: 0] } }

  func admit(_ number: String, _ pin: String) -> Signal<String, Never> {
    ask("admit").map { pin.count == 3 ? "welcome, \(number)" : "wrong PIN" }
  }

  func claim(_ locker: Int, for number: String) -> Signal<String, Never> {
    ask("locker").map { "locker \(locker) for \(number)" }
  }

  func crowd() -> Signal<Int, Never> { ask("crowd").map { 12 } }

  private func ask(_ kind: String) -> Signal<Void, Never> {
    .deferred { [queue, weak self] in
      self?.requests.withLock { $0[kind, default: 0] += 1 }
      return Signal<Void, Never>.timer(after: .milliseconds(40), on: queue)
    }
  }
}

private final class GymApp: Sendable {
  private let server: GymServer
  private let version: Version
  private let sheet = Mutex<EntrySheet?>(nil)
  private let crowd = MutableProperty(0, "crowd")
  private let bag = DisposableBag()

  init(_ server: GymServer, _ version: Version) {
    self.server = server
    self.version = version
    Signal.interval(.milliseconds(300), on: .main)
      .flatMap { _ in server.crowd() }
      .deliver(on: .main)
      .bind(to: crowd)
      .store(in: bag)
  }

  func open() -> EntrySheet {
    let opened = EntrySheet(server, version)
    sheet.withLock { $0 = opened }
    return opened
  }

  func close() { sheet.withLock { $0 = nil } }
}

private final class EntrySheet: Sendable {
  let number = MutableProperty("", "number")
  let pin = MutableProperty("", "pin")
  let locker = MutableProperty(0, "locker")
  let enter = Subject<Void, Never>("enter")
  let claim = Subject<Void, Never>("claim")
  private let message = MutableProperty("", "message")
  private let isComplete = MutableProperty(false, "is complete")
  private let bag = DisposableBag()

  init(_ server: GymServer, _ version: Version) {
    let credentials =
      version == .fixed
      ? number.signal.withLatest(from: pin.signal)
      : number.signal.flatMap { [pin] number in pin.signal.map { (number, $0) } }  // blame
    answer(to: enter) { credentials.flatMap { server.admit($0, $1) } }
    let claims = number.signal.take(1)
      .flatMap { [locker] number in locker.signal.take(1).map { (number, $0) } }
    answer(to: claim) { claims.flatMap { server.claim($1, for: $0) } }
    combineLatest(number.signal, pin.signal) { !$0.isEmpty && !$1.isEmpty }
      .distinctUntilChanged()
      .bind(to: isComplete)
      .store(in: bag)
    message.signal.skip(1).debounce(.milliseconds(50), on: .main).subscribe { _ in }.store(in: bag)
  }

  /// Makes a request at each tap, and shows its answers.
  private func answer(
    to taps: Subject<Void, Never>,
    with request: @escaping @Sendable () -> Signal<String, Never>
  ) {
    taps.signal
      .flatMap { request() }
      .deliver(on: .main)
      .subscribe { [message] in message.value = $0 }
      .store(in: bag)
  }
}
