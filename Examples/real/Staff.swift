import Reactive
import Synchronization

/// A company's pages for its staff: a list of everybody, birthdays, a telephone book, the rooms and
/// the news.
///
/// Rebuilt from angular/angular#4848. The result of a request was passed to several services, and
/// the server received the request once for each service.
extension Real {
  static let staff = Report("staff", "the same request several times") { version in
    let http = Http()
    let site = Site(http, version)
    for day in 1...7 {
      site.openHome()
      await pause(260)
      site.openRooms()
      if day.isMultiple(of: 3) { site.openCanteen() }
      await pause(240)
    }
    print("staff: home was opened 7 times, people were asked for \(http.count("people")) times")
    return site
  }
}

private final class Http: Sendable {
  private let queue = QueueScheduler(label: "http")
  private let sent = Mutex<[String: Int]>([:])

  func get(_ path: String) -> Signal<[String], Never> {
    Signal<String, Never>
      .deferred { [self] in
        sent.withLock { $0[path, default: 0] += 1 }
        return .just(path)
      }
      .concatMap { [queue] path in
        Signal.timer(after: .milliseconds(70), on: queue).map { _ in path }
      }
      .map { path in (1...5).map { "\(path) \($0)" } }
  }

  func count(_ path: String) -> Int { sent.withLock { $0[path, default: 0] } }
}

/// Shows one part of an answer; any number of boxes can receive the same answer.
private final class Box: Sendable {
  private let text: MutableProperty<String>

  init(_ name: String) { text = MutableProperty("", name) }

  func fill(
    from answer: Signal<[String], Never>,
    _ bag: DisposableBag,
    _ write: @escaping @Sendable ([String]) -> String
  ) {
    answer.map(write).deliver(on: .main).bind(to: text).store(in: bag)
  }
}

@MainActor
private final class Site {
  private let http: Http
  private let version: Version
  private let list = Box("list")
  private let birthdays = Box("birthdays")
  private let telephones = Box("telephones")
  private let rooms = Box("rooms")
  private let free = Box("free rooms")
  private let menu = Box("menu")
  private let headlines = Box("headlines")
  private let page = DisposableBag()
  private let whole = DisposableBag()

  init(_ http: Http, _ version: Version) {
    self.http = http
    self.version = version
    // The news is requested at an interval while the site is open.
    let news = Signal.interval(.milliseconds(900), on: .background)
      .flatMapLatest { _ in http.get("news") }
    headlines.fill(from: news, whole) { $0.first ?? "none" }
  }

  func openHome() {
    page.empty()
    let answer = http.get("people")  // blame, too
    let people = version == .fixed ? answer.share() : answer  // blame
    list.fill(from: people, page) { $0.joined(separator: ", ") }
    birthdays.fill(from: people, page) { $0.last ?? "nobody" }
    telephones.fill(from: people, page) { "\($0.count) numbers" }
  }

  func openRooms() {
    page.empty()
    let answer = http.get("rooms").share()
    rooms.fill(from: answer, page) { $0.joined(separator: ", ") }
    free.fill(from: answer, page) { "\($0.count - 2) are free" }
  }

  func openCanteen() {
    let answer = http.get("menu")
    menu.fill(from: answer, page) { $0.prefix(2).joined(separator: " or ") }
  }
}
