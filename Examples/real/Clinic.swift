import Reactive
import ReactiveTrace
import Synchronization

/// A doctor's practice: each day a page is opened, which requests its appointments and letters with
/// the token of the signed-in user. The token is renewed now and then.
///
/// Rebuilt from auth0-blog/angular-auth0-aside#11. Code that waited for a token waited for the next
/// one, too: no request ever completed, and each new token repeated all earlier requests.
extension Real {
  static let clinic = Report("clinic", "requests are repeated") { version in
    let server = Server()
    let practice = Practice(server, version)
    practice.signIn()
    for day in 1...6 {
      practice.open(day: day)
      await pause(250)
      practice.close()
      await pause(100)
      if day.isMultiple(of: 2) { practice.signIn() }
      Trace.mark("day \(day)")
    }
    await pause(300)
    print("clinic: \(server.count("day")) requests came in for the 12 that the pages made")
    return [server, practice] as [Any]
  }
}

private final class Server: Sendable {
  private let queue = QueueScheduler(label: "server")
  private let counts = Mutex<[String: Int]>([:])

  /// Counts requests by the first part of their path.
  func answer(_ path: String, token: String = "") -> Signal<String, Never> {
    Signal.deferred { [self] in
      let topic = String(path.prefix { $0 != "/" })
      counts.withLock { $0[topic, default: 0] += 1 }
      return Signal.timer(after: .milliseconds(60), on: queue).map { "\(path) for \(token)" }
    }
  }

  /// Sends the number of waiting patients, while it has subscribers.
  func waitingRoom(token: String) -> Signal<Int, Never> {
    Signal.interval(.milliseconds(120), on: queue).map { $0 % 5 }
  }

  func count(_ topic: String) -> Int { counts.withLock { $0[topic, default: 0] } }
}

/// The client through which all requests go.
private final class Client: Sendable {
  let token = MutableProperty<String?>(nil, "token")
  private let server: Server
  private let version: Version

  init(_ server: Server, _ version: Version) {
    self.server = server
    self.version = version
  }

  /// Asks as soon as somebody is signed in.
  func get(_ path: String) -> Signal<String, Never> {
    if version == .fixed {
      return token.signal.skipNil().take(1).flatMap { [server] in server.answer(path, token: $0) }
    }
    return token.signal.skipNil().flatMap { [server] in server.answer(path, token: $0) }  // blame
  }

  /// Makes a request that needs no token.
  func getPublic(_ path: String) -> Signal<String, Never> { server.answer(path) }

  func waitingRoom() -> Signal<Int, Never> {
    token.signal.skipNil().flatMapLatest { [server] in server.waitingRoom(token: $0) }
  }
}

@MainActor
private final class Practice {
  private let client: Client
  private let waiting = MutableProperty(0, "waiting")
  private let greeting = MutableProperty("", "greeting")
  private let bag = DisposableBag()
  private var page: Page?
  private var signedIn = 0

  init(_ server: Server, _ version: Version) {
    client = Client(server, version)
    client.waitingRoom().deliver(on: .main).bind(to: waiting).store(in: bag)
    client.token.signal.map { $0.map { "Hello \($0)" } ?? "Please sign in" }
      .bind(to: greeting).store(in: bag)
  }

  func signIn() {
    signedIn += 1
    client.token.value = "token \(signedIn)"
  }

  func open(day: Int) { page = Page(client, day) }

  func close() { page = nil }
}

/// Asks for everything it shows when it is opened.
private final class Page: Sendable {
  private let appointments = MutableProperty("", "appointments")
  private let letters = MutableProperty("", "letters")
  private let news = MutableProperty("", "news")
  private let clock = MutableProperty(0, "clock")
  private let bag = DisposableBag()

  init(_ client: Client, _ day: Int) {
    load(client.get("day/\(day)/appointments"), into: appointments)
    load(client.get("day/\(day)/letters"), into: letters)
    load(client.getPublic("news/\(day)"), into: news)
    Signal.interval(.milliseconds(100), on: .main).bind(to: clock).store(in: bag)
  }

  private func load(_ answer: Signal<String, Never>, into property: MutableProperty<String>) {
    answer.deliver(on: .main).subscribe { [weak property] in property?.value = $0 }
  }
}
