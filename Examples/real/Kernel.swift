import Reactive
import ReactiveTrace
import Synchronization

/// The kernel of an event store: clients connect, register which events they react to and which
/// they reduce, and leave after a while.
///
/// Rebuilt from Cratis/Chronicle#3116. The subscriptions of a client's observers were not disposed
/// of when its connection ended: the server's memory grew with each connection.
extension Real {
  static let kernel = Report("kernel", "grows with each connection") { version in
    let kernel = Kernel(version)
    for round in 1...8 {
      let bank = kernel.connect("bank \(round)")
      let library = kernel.connect("library \(round)")
      await pause(180)
      bank.close()
      await pause(120)
      library.close()
      Trace.mark("round \(round)")
    }
    let before = kernel.delivered.value
    await pause(500)
    print("kernel: \(kernel.delivered.value - before) deliveries after all clients had left")
    return kernel
  }
}

private struct Appended: Sendable {
  let number: Int
  let kind: String
}

/// All events, in the order in which they were appended.
private final class EventLog: Sendable {
  private let tail = Subject<Appended, Never>("tail")
  private let bag = DisposableBag()

  init() {
    Signal.interval(.milliseconds(50), on: .background)
      .map { Appended(number: $0, kind: ["opened", "moved", "closed"][$0 % 3]) }
      .subscribe { [tail] in tail.send($0) }
      .store(in: bag)
  }

  func events(_ kinds: [String]) -> Signal<Appended, Never> {
    tail.signal.filter { kinds.contains($0.kind) }
  }

  var all: Signal<Appended, Never> { tail.signal }
}

/// The connection of one client.
private final class Connection: Sendable {
  let client: String
  let observers = DisposableBag()
  private let inbox = Mutex<[String]>([])

  init(_ client: String) { self.client = client }

  func deliver(_ message: String) { inbox.withLock { $0.append(message) } }

  func close() { observers.empty() }
}

private final class Kernel: Sendable {
  let delivered = Counter()
  private let log = EventLog()
  private let reactors: Reactors
  private let reducers: Reducers
  private let length = MutableProperty(0, "length")
  private let status = MutableProperty("", "status")

  init(_ version: Version) {
    reactors = Reactors(log, delivered, version)
    reducers = Reducers(log, delivered)
    // These subscriptions last as long as the kernel.
    log.all.map { $0.number + 1 }.subscribe { [length] in length.value = $0 }
    length.signal
      .throttle(.milliseconds(200), on: .background)
      .map { "\($0) events" }
      .subscribe { [status] in status.value = $0 }
  }

  func connect(_ client: String) -> Connection {
    let connection = Connection(client)
    reactors.observe("audit", ["opened", "closed"], for: connection)
    reducers.observe("balance", ["moved"], for: connection)
    reducers.observe("places", ["opened", "moved"], for: connection)
    return connection
  }
}

/// Calls clients for each event they react to.
private final class Reactors: Sendable {
  private let log: EventLog
  private let delivered: Counter
  private let version: Version

  init(_ log: EventLog, _ delivered: Counter, _ version: Version) {
    self.log = log
    self.delivered = delivered
    self.version = version
  }

  func observe(_ reactor: String, _ kinds: [String], for connection: Connection) {
    let subscription = log.events(kinds)
      .map { "\(reactor): \($0.kind) \($0.number)" }
      .subscribe { [delivered] message in  // blame
        delivered.add()
        connection.deliver(message)
      }
    if version == .fixed { subscription.store(in: connection.observers) }
  }
}

/// Sends clients the values that their events are reduced to.
private final class Reducers: Sendable {
  private let log: EventLog
  private let delivered: Counter

  init(_ log: EventLog, _ delivered: Counter) {
    self.log = log
    self.delivered = delivered
  }

  func observe(_ reducer: String, _ kinds: [String], for connection: Connection) {
    log.events(kinds)
      .scan(0) { sum, event in sum + event.number }
      .map { "\(reducer): \($0)" }
      .subscribe { [delivered] message in
        delivered.add()
        connection.deliver(message)
      }
      .store(in: connection.observers)
  }
}
