import Reactive
import ReactiveTrace
import Synchronization

/// A small server that opens a password vault for the programs of one machine; a probe asks at an
/// interval whether the server is healthy.
///
/// Rebuilt from bitwarden/clients#20912. The server's memory grew with each request by the same
/// amount, whatever was requested, and never shrank until the process ended.
extension Real {
  static let vault = Report("vault", "grows with each request") { version in
    let server = Server(version)
    for hour in 1...8 {
      for _ in 1...4 { server.handle(.status("ada")) }
      server.handle(.list("ada"))
      await pause(120)
      server.handle(.status("ben"))
      server.handle(.sync(hour.isMultiple(of: 2) ? "ada" : "ben"))
      await pause(200)
      Trace.mark("hour \(hour)")
    }
    let before = server.judged.value
    server.tokens.set("renewed", for: "ada")
    server.tokens.set("renewed", for: "ben")
    await pause(200)
    print("vault: two new tokens were looked at \(server.judged.value - before) times")
    return server
  }
}

private enum Request: Sendable {
  case status(String)
  case sync(String)
  case list(String)
}

private enum Standing: Sendable { case loggedOut, locked, unlocked }

/// What is known about each user, for as long as the process lives.
private final class Register: Sendable {
  private let entries: MutableProperty<[String: String]>

  init(_ name: String, _ entries: [String: String]) {
    self.entries = MutableProperty(entries, name)
  }

  func set(_ entry: String?, for user: String) { entries.modify { $0[user] = entry } }

  func entry(for user: String) -> Signal<String?, Never> {
    entries.signal.map { $0[user] }.distinctUntilChanged()
  }
}

private final class Server: Sendable {
  let tokens = Register("tokens", ["ada": "first", "ben": "first"])
  let judged = Counter()
  private let keys = Register("keys", ["ada": "open"])
  private let answers = MutableProperty("", "answer")
  private let items = MutableProperty(["mail", "bank"], "items")
  private let log = Subject<String, Never>("log")
  private let queue = QueueScheduler(label: "server")
  private let region: Signal<String, Never>
  private let standings = Mutex<[String: Signal<Standing, Never>]>([:])
  private let version: Version
  private let bag = DisposableBag()

  init(_ version: Version) {
    self.version = version
    region = items.signal.map { $0.count > 1 ? "eu" : "us" }.replayLazily(1)
    log.signal.collect(count: 4).map { $0.joined(separator: "; ") }.subscribe().store(in: bag)
    Signal.interval(.milliseconds(300), on: queue)
      .map { _ in "alive" }
      .subscribe { [log] in log.send($0) }
      .store(in: bag)
  }

  func handle(_ request: Request) {
    switch request {
    case .status(let user):
      answer(standing(of: user).map { "\(user) is \($0)" })
    case .sync(let user):
      answer(
        standing(of: user)
          .take(1)
          .concatMap { [queue] standing in
            Signal.timer(after: .milliseconds(30), on: queue).map { _ in "synced, \(standing)" }
          }
      )
    case .list(let user):
      answer(names(for: user))
    }
  }

  /// Answers a request once, with the server's region.
  private func answer(_ texts: Signal<String, Never>) {
    texts.withLatest(from: region)
      .take(1)
      .deliver(on: queue)
      .subscribe { [answers, log] text, region in
        answers.value = "\(text) (\(region))"
        log.send(text)
      }
      .store(in: bag)
  }

  private func standing(of user: String) -> Signal<Standing, Never> {
    guard version == .fixed else { return makeStanding(of: user) }  // blame
    return standings.withLock { standings in
      if let known = standings[user] { return known }
      let made = makeStanding(of: user)
      standings[user] = made
      return made
    }
  }

  private func makeStanding(of user: String) -> Signal<Standing, Never> {
    combineLatest(keys.entry(for: user), tokens.entry(for: user)) { [judged] key, token in
      judged.add()
      if token == nil { return .loggedOut }
      return key == nil ? .locked : .unlocked
    }
    .replayLazily(1)  // blame, too
  }

  private func names(for user: String) -> Signal<String, Never> {
    combineLatest(items.signal, keys.entry(for: user)) { items, key in
      key == nil ? "nothing" : items.joined(separator: ", ")
    }
    .share(replay: 1)
  }
}
