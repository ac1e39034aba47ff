import Reactive
import ReactiveTrace
import Synchronization

/// The login of a web app: a guard lets logged-in users see a page, the header shows who they are,
/// and an old token is no longer valid.
///
/// Rebuilt from auth0/auth0-angular#109. Whether the user is logged in was read once and then kept
/// for all later subscribers: users counted as logged in when the token had long expired.
extension Real {
  static let session = Report("session", "an old answer") { version in
    let client = Client()
    let auth = Auth(client, version)
    let app = WebApp(auth)
    for round in 1...3 {
      auth.logIn("user \(round)")
      await pause(150)
      app.open("orders \(round)")
      await pause(300)
      app.open("bills \(round)")
      await pause(450)
      app.open("account \(round)")
      await pause(150)
      app.open("settings \(round)")
      await pause(150)
      Trace.mark("round \(round)")
    }
    print(
      "session: \(app.opened.value) of 12 pages were opened, \(app.toLogin.value) led to the login"
    )
    return [client, auth, app] as [Any]
  }
}

/// Keeps the token, which is valid for a while.
private final class Client: Sendable {
  private let queue = QueueScheduler(label: "client")
  private let expiry = Mutex<ContinuousClock.Instant?>(nil)

  func logIn() { expiry.withLock { $0 = .now + .milliseconds(700) } }

  func isValid() -> Signal<Bool, Never> {
    Signal.timer(after: .milliseconds(20), on: queue).map { [weak self] in
      self?.expiry.withLock { $0.map { $0 > .now } } ?? false
    }
  }

  func picture(of user: String) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(60), on: queue).map { "\(user).png" }
  }
}

private final class Auth: Sendable {
  let user = MutableProperty("", "user")
  let isLoggedIn: Signal<Bool, Never>
  let picture: Signal<String, Never>
  private let client: Client
  private let isLoading = MutableProperty(true, "loading")

  init(_ client: Client, _ version: Version) {
    self.client = client
    let checks = user.signal.flatMapLatest { _ in client.isValid() }
    isLoggedIn = version == .fixed ? checks : checks.share(replay: 1)  // blame
    picture = user.signal.filter { !$0.isEmpty }
      .flatMapLatest { client.picture(of: $0) }
      .share(replay: 1)
    checks.take(1).subscribe { [isLoading] _ in isLoading.value = false }
  }

  func logIn(_ name: String) {
    client.logIn()
    user.value = name
  }
}

private final class WebApp: Sendable {
  let opened = Counter()
  let toLogin = Counter()
  private let auth: Auth
  private let header = MutableProperty("", "header")
  private let corner = MutableProperty("", "corner")
  private let menu = MutableProperty(false, "menu")
  private let route = MutableProperty("", "route")
  private let bag = DisposableBag()

  init(_ auth: Auth) {
    self.auth = auth
    combineLatest(auth.user.signal, auth.picture) { "\($0) \($1)" }
      .bind(to: header)
      .store(in: bag)
    auth.isLoggedIn.bind(to: menu).store(in: bag)
    Signal.interval(.milliseconds(250), on: .main)
      .withLatest(from: route.signal)
      .subscribe { _ in }
      .store(in: bag)
  }

  /// Opens a page if the guard agrees to it.
  func open(_ page: String) {
    first(of: auth.isLoggedIn) { [self] isLoggedIn in
      (isLoggedIn ? opened : toLogin).add()
      route.value = isLoggedIn ? page : "login"
    }
    first(of: auth.picture) { [corner] picture in corner.value = "\(page) \(picture)" }
  }

  private func first<Value>(
    of values: Signal<Value, Never>,
    then use: @escaping @Sendable (Value) -> Void
  ) {
    values.take(1).deliver(on: .main).subscribe(next: use).store(in: bag)
  }
}
