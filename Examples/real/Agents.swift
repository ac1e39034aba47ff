import Reactive
import ReactiveTrace

/// A dashboard for an account's knowledge boxes and agents; its head has a logo, path and badge.
///
/// Rebuilt from nuclia/frontend#2130. The link of the logo was combined from several signals, one
/// of which sends nothing before an agent is selected; until then, clicks on the logo did nothing.
extension Real {
  static let agents = Report("agents", "nothing happens") { version in
    let console = Dashboard()
    let head = Head(console, version)
    var clicks = 0
    for round in 1...6 {
      Trace.mark("round \(round)")
      console.select(box: Box(name: "box \(round)", size: round * 10))
      await pause(150)
      head.openMenu()
      await pause(150)
      if round.isMultiple(of: 2) { console.use(account: "account \(round)") }
      clicks += 1
      head.clickLogo()
      await pause(150)
      head.closeMenu()
    }
    print("agents: the logo led home \(head.visits.value) of \(clicks) times")
    return [console, head] as [Any]
  }
}

private struct Box: Equatable, Sendable {
  var name = ""
  var size = 0
}

private struct Agent: Equatable, Sendable {
  var name = ""
}

/// The state of the dashboard: the account, what is selected, and the usage.
private final class Dashboard: Sendable {
  let account = MutableProperty("account 0", "account")
  /// The box that was selected last.
  let selectedBox = ReplaySubject<Box, Never>(capacity: 1, "selected box")
  /// The agent that was selected last.
  let selectedAgent = ReplaySubject<Agent, Never>(capacity: 1, "selected agent")  // blame, too
  /// The current agent; nil if there is none.
  let agent = BehaviorSubject<Agent?, Never>(nil, "agent")
  let usage = MutableProperty(0, "usage")
  private let bag = DisposableBag()

  init() {
    Signal.interval(.milliseconds(170), on: .background)
      .map { $0 * 13 % 40 }
      .deliver(on: .main)
      .bind(to: usage)
      .store(in: bag)
    selectedAgent.signal.subscribe { [agent] in agent.send($0) }.store(in: bag)
  }

  func select(box: Box) { selectedBox.send(box) }

  func select(agent: Agent) { selectedAgent.send(agent) }

  func use(account name: String) {
    account.value = name
    agent.send(nil)
  }
}

/// The address of a place, combined from the account, the box and the place.
private func link<Place: Sendable>(
  _ account: Signal<String, Never>,
  _ box: Signal<Box, Never>,
  _ place: Signal<Place, Never>,
  _ path: @escaping @Sendable (Place) -> String
) -> Signal<String, Never> {
  combineLatest(account, box, place) { "/\($0)/\($1.name)/\(path($2))" }
    .distinctUntilChanged()
}

private final class Head: Sendable {
  let visits = Counter()
  private let logo = Subject<Void, Never>("logo")
  private let place = MutableProperty("", "place")
  private let crumbs = MutableProperty("", "crumbs")
  private let badge = MutableProperty("", "badge")
  private let menu = MutableProperty<[String]>([], "menu")
  private let dashboard: Dashboard
  private let bag = DisposableBag()
  private let menuBag = DisposableBag()

  init(_ dashboard: Dashboard, _ version: Version) {
    self.dashboard = dashboard
    let account = dashboard.account.signal
    let box = dashboard.selectedBox.signal
    let home =
      version == .fixed
      ? link(account, box, dashboard.agent.signal) { $0?.name ?? "" }
      : link(account, box, dashboard.selectedAgent.signal) { $0.name }  // blame
    logo.signal
      .withLatest(from: home)
      .map { $1 }
      .subscribe { [visits, place] path in
        visits.add()
        place.value = path
      }
      .store(in: bag)
    link(account, box, dashboard.usage.signal) { "used \($0) of 40" }
      .bind(to: crumbs)
      .store(in: bag)
    combineLatest(account, box) { "\($0) has \($1.size) pages" }.bind(to: badge).store(in: bag)
    dashboard.selectedAgent.signal
      .subscribe { [place] in place.value = "/agents/\($0.name)" }
      .store(in: bag)
  }

  func clickLogo() { logo.send() }

  /// Binds the menu, until it is closed.
  func openMenu() {
    combineLatest(dashboard.selectedBox.signal, dashboard.account.signal) { ["\($1)", $0.name] }
      .bind(to: menu)
      .store(in: menuBag)
  }

  func closeMenu() { menuBag.empty() }
}
