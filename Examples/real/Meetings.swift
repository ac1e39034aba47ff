import Reactive
import ReactiveTrace
import Synchronization

/// Meeting rooms: there is a page each for the building, the room and the guests. Each shows
/// several parts of one answer of the server.
///
/// Rebuilt from the-guild-org/apollo-angular#354. Two values of the same query were bound to the
/// view, and the request was made twice each time.
extension Real {
  static let meetings = Report("meetings", "requests are made twice") { version in
    let api = Api()
    let office = Office(api, version)
    for round in 1...6 {
      office.enter(room: 100 + round)
      await pause(300)
      office.leave()
      await pause(100)
      Trace.mark("hall")
    }
    let counts = ["room", "guests"].map { "\(api.count($0)) for the \($0)" }
    print("meetings: requests in 6 rounds: \(counts.joined(separator: ", "))")
    return [api, office] as [Any]
  }
}

private struct Answer: Sendable {
  let text: String
  let number: Int
}

private final class Api: Sendable {
  private let queue = QueueScheduler(label: "api")
  private let counts = Mutex<[String: Int]>([:])

  /// Makes the request anew for each subscription.
  func query(_ kind: String, _ number: Int) -> Signal<Answer, Never> {
    Signal.deferred { [self] in
      counts.withLock { $0[kind, default: 0] += 1 }
      return Signal.timer(after: .milliseconds(70), on: queue)
        .map { Answer(text: "\(kind) \(number)", number: number * 3) }
    }
  }

  func count(_ kind: String) -> Int { counts.withLock { $0[kind, default: 0] } }
}

@MainActor
private final class Office {
  private let api: Api
  private let version: Version
  private let building: Page
  private var pages: [Page] = []

  init(_ api: Api, _ version: Version) {
    self.api = api
    self.version = version
    building = Page("building")
    // The building is queried again at an interval.
    let refreshed = Signal.interval(.milliseconds(400), on: .main).map { $0 + 1 }.startWith(0)
    let floors = refreshed.flatMapLatest { _ in api.query("building", 1) }.share(replay: 1)
    building.show(floors.map(\.text), at: "name")
    building.show(floors.map { "\($0.number) floors" }, at: "floors")
  }

  func enter(room: Int) {
    pages = [roomPage(room), guestPage(room)]
  }

  func leave() { pages = [] }

  private func roomPage(_ number: Int) -> Page {
    let page = Page("room")
    let answer = api.query("room", number).deliver(on: .main)  // blame
    let room = version == .fixed ? answer.share() : answer  // blame, too
    page.show(room.map(\.text), at: "name")
    page.show(room.map { "\($0.number) seats" }, at: "seats")
    return page
  }

  private func guestPage(_ number: Int) -> Page {
    let page = Page("guests")
    let guests = api.query("guests", number).deliver(on: .main).share()
    page.show(guests.map(\.text), at: "list")
    page.show(guests.map { "\($0.number) will come" }, at: "number")
    page.show(Signal.interval(.milliseconds(100), on: .main).map { "\($0)" }, at: "clock")
    return page
  }
}

/// A page with named places for texts.
private final class Page: Sendable {
  private let texts: MutableProperty<[String: String]>
  private let title: MutableProperty<String>
  private let bag = DisposableBag()

  init(_ name: String) {
    texts = MutableProperty([:], "texts of \(name)")
    title = MutableProperty(name, "title of \(name)")
    texts.signal.map { "\(name) (\($0.count))" }
      .distinctUntilChanged()
      .bind(to: title)
      .store(in: bag)
  }

  func show(_ text: Signal<String, Never>, at place: String) {
    text.startWith("…")
      .subscribe { [texts] text in texts.modify { $0[place] = text } }
      .store(in: bag)
  }
}
