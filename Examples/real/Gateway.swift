import Reactive
import Synchronization

/// A gateway to three services: it fetches each service's key once, and adds it to requests.
///
/// Rebuilt from reactor/reactor-core#391. What had been fetched was cached, and so was a failure: a
/// retry got the same failure from the cache, without a request, long after the server was back.
extension Real {
  static let gateway = Report("gateway", "fails although the server is there") { version in
    let server = Server()
    let gateway = Gateway(server, version)
    for round in 0..<10 {
      for service in ["mail", "files", "maps"] { gateway.pass("request \(round)", to: service) }
      await pause(400)
    }
    let passed = ["mail", "files", "maps"].map { "\($0) \(gateway.passed($0))" }
    print("of 10 each were passed: \(passed.joined(separator: ", "))")
    return [server, gateway] as [Any]
  }
}

private enum ServerFailure: Error { case notYetUp }

/// Answers after a while; refuses the key of the files twice.
private final class Server: Sendable {
  private let queue = QueueScheduler(label: "server")
  private let asked = Mutex<[String: Int]>([:])

  func ask(_ topic: String) -> Signal<String, ServerFailure> {
    Signal.timer(after: .milliseconds(40), on: queue).tryMap {
      [weak self] _ throws(ServerFailure) in
      let number = self?.count(topic) ?? 0
      if topic == "key of files" && number <= 2 { throw .notYetUp }
      return "\(topic), \(number)"
    }
  }

  private func count(_ topic: String) -> Int {
    asked.withLock { asked in
      asked[topic, default: 0] += 1
      return asked[topic, default: 0]
    }
  }
}

private final class Gateway: Sendable {
  private let server: Server
  private let keys: [String: Signal<String, ServerFailure>]
  private let counts = Mutex<[String: Int]>([:])
  private let passing = Subject<(service: String, text: String), Never>("passing")
  private let queue = QueueScheduler(label: "gateway")
  private let bag = DisposableBag()

  init(_ server: Server, _ version: Version) {
    self.server = server
    let queue = queue
    let again = { @Sendable (key: Signal<String, ServerFailure>) in
      key.retry(4, delay: .milliseconds(100), on: queue)  // blame, too
    }
    let files =
      version == .fixed
      ? again(server.ask("key of files")).replayLazily(1)
      : again(server.ask("key of files").replayLazily(1))  // blame
    keys = [
      "mail": again(server.ask("key of mail")).replayLazily(1),
      "files": files,
      "maps": again(server.ask("key of maps")).replayLazily(1),
    ]
    for service in keys.keys.sorted() {
      let requests = passing.signal.filter { $0.service == service }.map(\.text)
      count(
        service,
        requests.flatMap { [weak self] in self?.answer($0, from: service) ?? .empty() }
      )
    }
    count("all", passing.signal.map(\.text))
    count("health", Signal.interval(.milliseconds(600), on: queue).map { "beat \($0)" })
  }

  func pass(_ text: String, to service: String) { passing.send((service, text)) }

  func passed(_ service: String) -> Int { counts.withLock { $0[service, default: 0] } }

  private func answer(_ text: String, from service: String) -> Signal<String, Never> {
    guard let key = keys[service] else { return .empty() }
    return
      key
      .flatMap { [server] in server.ask("\(text) with \($0)") }
      .catch { _ in Signal<String, Never>.empty() }
  }

  private func count(_ topic: String, _ texts: Signal<String, Never>) {
    texts.subscribe { [weak self] _ in self?.counts.withLock { $0[topic, default: 0] += 1 } }
      .store(in: bag)
  }
}
