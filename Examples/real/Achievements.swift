import Reactive
import ReactiveTrace
import Synchronization

/// A site for learners: the page with a person's achievements stays open when another person is
/// chosen; details, achievements and picture are requested again each time.
///
/// Rebuilt from open-learning-exchange/planet#10276. A user who went from one person to another
/// sometimes saw the achievements of the first person below the name of the second.
extension Real {
  static let achievements = Report("achievements", "what is shown is of somebody else") { version in
    let server = Server()
    let site = Site(server)
    let page = AchievementsPage(site.route.signal, server, version)
    var wrong = 0
    let routes = [
      ["ada", "ben"], ["ben", "ada"], ["ada", "cleo"], ["cleo", "ben", "ada"], ["ada"],
    ]
    for (round, names) in routes.enumerated() {
      for name in names {
        site.route.value = name
        await pause(100)
      }
      await pause(450)
      if page.text("achievements") != "achievements of \(site.route.value)" { wrong += 1 }
      Trace.mark("visit \(round + 1)")
    }
    print("achievements: in \(wrong) of \(routes.count) visits they were of somebody else")
    return [site, page] as [Any]
  }
}

/// Answers later for a person who has done more.
private final class Server: Sendable {
  private let queue = QueueScheduler(label: "server")
  private let visits = Counter()

  func get(_ topic: String, of name: String) -> Signal<String, Never> {
    let time = name == "ada" ? 320 : 50
    return Signal.timer(after: .milliseconds(time), on: queue).map { "\(topic) of \(name)" }
  }

  /// Records that a person was viewed.
  func note(_ name: String) -> Signal<Void, Never> {
    Signal.timer(after: .milliseconds(name.count * 40), on: queue)
      .doNext { [visits] in visits.add() }
  }
}

private final class Site: Sendable {
  let route = MutableProperty("ben", "route")
  private let certificates = MutableProperty(0, "certificates")
  private let bag = DisposableBag()

  init(_ server: Server) {
    // Each visit has to be recorded, so the next one does not cancel the request.
    route.signal
      .subscribe { [bag] name in server.note(name).subscribe().store(in: bag) }
      .store(in: bag)
    Signal.interval(.milliseconds(170), on: .background).map { $0 / 4 }
      .distinctUntilChanged()
      .bind(to: certificates)
      .store(in: bag)
  }
}

private final class AchievementsPage: Sendable {
  private let server: Server
  private let parts = Mutex<[String: String]>([:])
  private let title = MutableProperty("", "title")
  private let bag = DisposableBag()

  init(_ route: Signal<String, Never>, _ server: Server, _ version: Version) {
    self.server = server
    route.map { "About \($0)" }.bind(to: title).store(in: bag)
    show("details", latest("details", route))
    show("picture", latest("picture", route))
    if version == .fixed {
      show("achievements", latest("achievements", route))
    } else {
      route.subscribe { [weak self] in self?.loadAchievements(of: $0) }.store(in: bag)  // blame
    }
  }

  func text(_ place: String) -> String { parts.withLock { $0[place, default: ""] } }

  private func latest(_ topic: String, _ names: Signal<String, Never>) -> Signal<String, Never> {
    names.flatMapLatest { [server] in server.get(topic, of: $0) }
  }

  private func loadAchievements(of name: String) {
    show("achievements", server.get("achievements", of: name))  // blame, too
  }

  private func show(_ place: String, _ texts: Signal<String, Never>) {
    texts.deliver(on: .main)
      .subscribe { [weak self] text in self?.parts.withLock { $0[place] = text } }
      .store(in: bag)
  }
}
