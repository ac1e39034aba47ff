import Reactive
import ReactiveTrace
import Synchronization

/// A dashboard for bodies of knowledge, with features that are switched on for some accounts;
/// before an account is chosen, only the features for everybody are on.
///
/// Rebuilt from nuclia/frontend#1649. The form for a new body of knowledge asked for the options of
/// a feature that was on, but the options were missing in the request to the server.
extension Real {
  static let onboarding = Report("onboarding", "an old answer") { version in
    let session = Session()
    let features = Features(session, version)
    let server = Server()
    let welcome = WelcomePage(features)
    await pause(150)
    session.choose("account A")
    for round in 1...5 {
      await pause(100)
      let form = Form(features, server)
      await pause(80)
      form.fillIn("body \(round)", options: "vectors \(round)")
      form.submit()
      await pause(150)
      Trace.mark("form \(round)")
      session.choose(round.isMultiple(of: 2) ? "account A" : "account B")
    }
    print("onboarding: \(server.bodies) bodies were made, \(server.withOptions) with their options")
    return [session, features, server, welcome] as [Any]
  }
}

private final class Session: Sendable {
  /// The chosen account; nothing before the first choice.
  let accounts = ReplaySubject<String, Never>(capacity: 1, "accounts")
  private let isChosen = Mutex(false)

  var hasAccount: Bool { isChosen.withLock { $0 } }

  func choose(_ account: String) {
    isChosen.withLock { $0 = true }
    accounts.send(account)
  }
}

private final class Features: Sendable {
  private let session: Session
  private let version: Version
  /// The accounts for which each feature is on; an empty list means all accounts.
  private let remote = MutableProperty<[String: [String]]>([:], "remote")
  private let bag = DisposableBag()

  init(_ session: Session, _ version: Version) {
    self.session = session
    self.version = version
    Signal.timer(after: .milliseconds(50), on: .background)
      .map { ["vectors": ["account A", "account B"], "tour": [], "beta": ["account C"]] }
      .bind(to: remote)
      .store(in: bag)
  }

  /// Sends whether a feature is on, and each change.
  func isOn(_ feature: String) -> Signal<Bool, Never> {
    combineLatest(remote.signal, account()) { remote, account in
      guard let accounts = remote[feature] else { return false }
      return accounts.isEmpty || accounts.contains(account)
    }
    .distinctUntilChanged()
  }

  private func account() -> Signal<String, Never> {
    let accounts = session.accounts.signal
    if version == .fixed, session.hasAccount { return accounts }
    return accounts.startWith("")  // blame
  }
}

private final class Server: Sendable {
  private let made = Mutex<[(name: String, options: String?)]>([])

  var bodies: Int { made.withLock(\.count) }
  var withOptions: Int { made.withLock { $0.count { $0.options != nil } } }

  func make(_ name: String, _ options: String?) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(40), on: .background).map { [weak self] in
      self?.made.withLock { $0.append((name, options)) }
      return name
    }
  }
}

private final class WelcomePage: Sendable {
  private let banner = MutableProperty("", "banner")
  private let bag = DisposableBag()

  init(_ features: Features) {
    combineLatest(features.isOn("tour"), features.isOn("beta")) { "tour \($0), beta \($1)" }
      .deliver(on: .main)
      .bind(to: banner)
      .store(in: bag)
    Signal.interval(.milliseconds(250), on: .main)
      .map { "tip \($0)" }
      .startWith("welcome")
      .withLatest(from: banner.signal)
      .subscribe()
      .store(in: bag)
  }
}

private final class Form: Sendable {
  private let features: Features
  private let server: Server
  private let name = MutableProperty("", "name")
  private let options = MutableProperty("", "options")
  private let showsOptions = MutableProperty(false, "shows options")
  private let status = MutableProperty("", "status")
  private let bag = DisposableBag()

  init(_ features: Features, _ server: Server) {
    self.features = features
    self.server = server
    features.isOn("vectors").deliver(on: .main).bind(to: showsOptions).store(in: bag)
  }

  func fillIn(_ name: String, options: String) {
    self.name.value = name
    if showsOptions.value { self.options.value = options }
  }

  func submit() {
    combineLatest(name.signal, options.signal)
      .take(1)
      .flatMapLatest { [features, server] name, options in
        features.isOn("vectors")
          .take(1)  // blame, too
          .flatMapLatest { isOn in server.make(name, isOn ? options : nil) }
      }
      .startWith("sending")
      .deliver(on: .main)
      .subscribe { [status] in status.value = $0 }
  }
}
