import Reactive
import ReactiveTrace
import Synchronization

/// A library of skills: the page of a skill has a title, a menu, and tabs that are opened one after
/// the other; tasks that run on the server are shown at the bottom.
///
/// Rebuilt from CredentialEngine/osmt#240. The developers found that one page made the same request
/// to the server several times, although all subscribers on the page were meant to share its
/// result.
extension Real {
  static let skills = Report("skills", "the server is asked too often") { version in
    let server = Server()
    let library = Library(server, version)
    for number in 1...5 {
      let page = library.open(skill: number)
      await pause(180)
      page.openDetails()
      await pause(150)
      page.comments.refresh.send()
      await pause(100)
      page.openHistory()
      await pause(180)
      Trace.mark("skill \(number)")
    }
    print("skills: for 5 pages the server was asked \(server.asked("skill")) times for a skill")
    return [server, library] as [Any]
  }
}

private final class Server: Sendable {
  private let queue = QueueScheduler(label: "server")
  private let counts = Mutex<[String: Int]>([:])

  /// Makes a request for each subscription.
  func get(_ topic: String, _ number: Int) -> Signal<String, Never> {
    Signal.deferred { [self] in
      counts.withLock { $0[topic, default: 0] += 1 }
      return Signal.timer(after: .milliseconds(60), on: queue).map { "\(topic) \(number)" }
    }
  }

  /// Sends the progress of running tasks at an interval.
  func progress() -> Signal<Int, Never> {
    Signal.interval(.milliseconds(110), on: queue).map { $0 * 7 % 100 }
  }

  func asked(_ topic: String) -> Int { counts.withLock { $0[topic, default: 0] } }
}

@MainActor
private final class Library {
  private let server: Server
  private let version: Version
  private let tasks: Signal<Int, Never>
  private let footer = MutableProperty("", "footer")
  private let badge = MutableProperty(0, "badge")
  private var page: SkillPage?
  private let bag = DisposableBag()

  init(_ server: Server, _ version: Version) {
    self.server = server
    self.version = version
    tasks = server.progress().share()
    tasks.map { "\($0) %" }.bind(to: footer).store(in: bag)
    tasks.filter { $0 > 90 }.scan(0) { count, _ in count + 1 }.bind(to: badge).store(in: bag)
  }

  func open(skill number: Int) -> SkillPage {
    let page = SkillPage(number, server, tasks, version)
    self.page = page
    return page
  }
}

private final class SkillPage: Sendable {
  let comments: Comments
  private let skill: Signal<String, Never>
  private let parts = Mutex<[String: String]>([:])
  private let bag = DisposableBag()

  init(_ number: Int, _ server: Server, _ tasks: Signal<Int, Never>, _ version: Version) {
    skill =
      version == .fixed
      ? server.get("skill", number).share(replay: 1, scope: .forever)
      : server.get("skill", number).share()  // blame
    comments = Comments(number, server)
    let publishers = server.get("publishers", number).share()
    show("title", skill)
    show("menu", skill.map { "menu of \($0)" })
    show("publishers", publishers)
    show("filter", publishers.map { "only \($0)" })
    show("tasks", tasks.map { "\($0) % done" })
  }

  func openDetails() {
    show("details", skill.map { "details of \($0)" })
    show("comments", comments.latest.signal)
  }

  func openHistory() { show("history", skill.map { "history of \($0)" }) }

  private func show(_ place: String, _ texts: Signal<String, Never>) {
    texts.deliver(on: .main)
      .subscribe { [weak self] text in self?.parts.withLock { $0[place] = text } }
      .store(in: bag)
  }
}

/// The comments on a skill, which are requested again when the user pulls the list.
private final class Comments: Sendable {
  let refresh = Subject<Void, Never>("refresh")
  let latest = MutableProperty("", "comments")
  private let bag = DisposableBag()

  init(_ number: Int, _ server: Server) {
    refresh.signal.startWith(())
      .flatMapLatest { server.get("comments", number) }
      .bind(to: latest)
      .store(in: bag)
  }
}
