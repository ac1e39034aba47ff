import Reactive
import ReactiveTrace
import Synchronization

/// A registry for packages: each page makes three requests at the same time. If the session has
/// expired, one of them renews the token, and the others wait for it. Packages are uploaded, too.
///
/// Rebuilt from repsyio/repsy#213. After one failed renewal, requests that waited for a new token
/// failed with the old error, even after a new login, until the page was reloaded.
extension Real {
  static let artifacts = Report("artifacts", "errors do not go away") { version in
    let server = Server()
    let client = Client(server, version)
    let pages = Pages(client)
    let uploads = Uploads(server)
    for round in 1...6 {
      Trace.mark("page \(round)")
      server.expireSessions(canRenew: round != 2)
      pages.open("page \(round)")
      uploads.begin("package \(round)")
      await pause(350)
      if round == 2 { client.signIn() }
      await pause(100)
    }
    print("artifacts: \(pages.loaded.value) of 18 parts were loaded, \(uploads.done.value) uploads")
    return [server, client, pages, uploads] as [Any]
  }
}

private struct Refusal: Error {}

private final class Server: Sendable {
  private struct State {
    var valid = 1
    var canRenew = true
  }

  private let queue = QueueScheduler(label: "server")
  private let state = Mutex(State())

  func expireSessions(canRenew: Bool) {
    state.withLock {
      $0.valid += 1
      $0.canRenew = canRenew
    }
  }

  func get(_ path: String, token: Int) -> Signal<String, Refusal> {
    answer(after: 40) { $0.valid == token ? path : nil }
  }

  func renew() -> Signal<Int, Refusal> { answer(after: 100) { $0.canRenew ? $0.valid : nil } }

  func signIn() -> Int { state.withLock { $0.valid } }

  /// Refuses every third package.
  func accept(_ package: String) -> Signal<String, Refusal> {
    answer(after: 120) { _ in package.hasSuffix("3") || package.hasSuffix("6") ? nil : package }
  }

  private func answer<Value: Sendable>(
    after milliseconds: Int,
    _ make: @escaping @Sendable (State) -> Value?
  ) -> Signal<Value, Refusal> {
    Signal.timer(after: .milliseconds(milliseconds), on: queue)
      .tryMap { [self] _ throws(Refusal) in
        guard let value = make(state.withLock { $0 }) else { throw Refusal() }
        return value
      }
  }
}

/// Makes requests, and makes them again with a new token if the session has expired.
private final class Client: Sendable {
  private struct State {
    var token = 1
    var isRenewing = false
    var renewing: Signal<Int, Refusal>?
  }

  private let server: Server
  private let version: Version
  private let state = Mutex(State())
  private let renewed = Subject<Int, Refusal>("renewed")  // blame, too

  init(_ server: Server, _ version: Version) {
    self.server = server
    self.version = version
  }

  func signIn() {
    let token = server.signIn()
    state.withLock { $0.token = token }
  }

  func get(_ path: String) -> Signal<String, Refusal> {
    Signal.deferred { [self] in server.get(path, token: state.withLock { $0.token }) }
      .catch { [self] _ in
        (version == .fixed ? sharedRenewal() : renewal())
          .flatMap { [server] in server.get(path, token: $0) }
      }
  }

  /// The first caller renews the token, and the others wait.
  private func renewal() -> Signal<Int, Refusal> {
    let isFirst = state.withLock { state in
      defer { state.isRenewing = true }
      return !state.isRenewing
    }
    guard isFirst else { return renewed.signal.take(1) }
    return server.renew()
      .doNext { [self] token in
        state.withLock { $0.token = token }
        renewed.send(token)
      }
      .doFailed { [self] in renewed.fail($0) }  // blame
      .finally { [self] in state.withLock { $0.isRenewing = false } }
  }

  /// Returns the running renewal, or starts one that all callers share.
  private func sharedRenewal() -> Signal<Int, Refusal> {
    state.withLock { state in
      if let renewing = state.renewing { return renewing }
      let renewing = server.renew()
        .doNext { [self] token in self.state.withLock { $0.token = token } }
        .finally { [self] in self.state.withLock { $0.renewing = nil } }
        .share()
      state.renewing = renewing
      return renewing
    }
  }
}

private final class Pages: Sendable {
  let loaded = Counter()
  private let client: Client
  private let status = MutableProperty("", "status")
  private let bag = DisposableBag()

  init(_ client: Client) {
    self.client = client
    Signal.interval(.milliseconds(150), on: .main).map { "\($0) s" }
      .bind(to: status).store(in: bag)
  }

  func open(_ page: String) {
    for part in ["list", "rights", "usage"] {
      client.get("\(page)/\(part)")
        .deliver(on: .main)
        .subscribe(
          next: { [loaded] _ in loaded.add() },
          failed: { [status] _ in status.value = "\(part) could not be loaded" }
        )
        .store(in: bag)
    }
  }
}

/// Each upload reports its progress, and a failure, in several places.
private final class Uploads: Sendable {
  let done = Counter()
  private let server: Server
  private let line = MutableProperty("", "upload")
  private let bag = DisposableBag()

  init(_ server: Server) { self.server = server }

  func begin(_ package: String) {
    let progress = Subject<Int, Refusal>("progress of \(package)")
    progress.signal
      .map { "\(package): \($0) %" }
      .catch { _ in Signal<String, Never>.just("\(package) was not accepted") }
      .bind(to: line)
    progress.signal.subscribe(failed: { _ in }, completed: { [done] in done.add() }).store(in: bag)
    progress.send(10)
    server.accept(package)
      .subscribe(
        next: { _ in progress.send(100) },
        failed: { progress.fail($0) },
        completed: { progress.complete() }
      )
      .store(in: bag)
  }
}
