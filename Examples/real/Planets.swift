import Reactive
import ReactiveTrace

/// An encyclopaedia of planets with tabs. A page makes three requests as soon as its planet is
/// known, and is laid out when all have completed; ratings are shown as they come.
///
/// Rebuilt from ReactiveCocoa/ReactiveCocoa#2098. Each of the merged requests returned what it
/// should, but the view was never refreshed, because they did not complete.
extension Real {
  static let planets = Report("planets", "waits for ever") { version in
    let observatory = Observatory()
    let laidOut = Counter()
    let list = PlanetList(observatory)
    var tabs: [PlanetPage] = []
    for (index, name) in ["Venus", "Mars", "Saturn", "Uranus", "Ceres"].enumerated() {
      list.refresh()
      await pause(120)
      let page = PlanetPage(observatory, laidOut, version)
      tabs.append(page)
      await pause(60)
      page.planet.value = name
      await pause(120)
      observatory.ratings.send(index)
      await pause(250)
      Trace.mark("back to the list")
    }
    print(
      "planets: \(laidOut.value) of 5 pages were laid out, the list",
      list.laidOut.value,
      "times"
    )
    return [observatory, list, tabs] as [Any]
  }
}

/// Answers requests about planets after a while.
private final class Observatory: Sendable {
  let ratings = Subject<Int, Never>("ratings")
  private let queue = QueueScheduler(label: "observatory")

  func ask(_ topic: String, of planet: String) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(30 + 10 * topic.count), on: queue)
      .map { "\(topic) of \(planet)" }
      .deliver(on: .main)
  }

  func names(_ part: Int) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(20 + 20 * part), on: queue)
      .map { "part \(part)" }
      .deliver(on: .main)
  }
}

private final class PlanetPage: Sendable {
  let planet = MutableProperty<String?>(nil, "planet")
  private let pieces = MutableProperty<[String]>([], "pieces")
  private let title = MutableProperty("", "title")
  private let rating = MutableProperty("", "rating")
  private let isLoading = MutableProperty(true, "is loading")
  private let bag = DisposableBag()

  init(_ observatory: Observatory, _ laidOut: Counter, _ version: Version) {
    let known = planet.signal.skipNil()
    known.bind(to: title).store(in: bag)
    known.flatMapLatest { name in observatory.ratings.signal.map { "\(name): \($0) stars" } }
      .bind(to: rating)
      .store(in: bag)
    let subject = version == .fixed ? known.take(1) : known  // blame
    let requests = ["orbit", "moons", "history"].map { topic in
      subject.flatMap { observatory.ask(topic, of: $0) }  // blame, too
    }
    whenComplete(requests) { [isLoading] in
      isLoading.value = false
      laidOut.add()
    }
    isLoading.signal.distinctUntilChanged().subscribe { _ in }.store(in: bag)
  }

  private func whenComplete(
    _ requests: [Signal<String, Never>],
    _ action: @escaping @Sendable () -> Void
  ) {
    Signal.merge(requests)
      .subscribe(
        next: { [pieces] piece in pieces.modify { $0.append(piece) } },
        completed: action
      )
      .store(in: bag)
  }
}

/// The list of all planets, loaded in three parts.
private final class PlanetList: Sendable {
  let laidOut = Counter()
  private let observatory: Observatory
  private let rows = MutableProperty<[String]>([], "rows")
  private let clock = MutableProperty(0, "clock")
  private let bag = DisposableBag()

  init(_ observatory: Observatory) {
    self.observatory = observatory
    Signal.interval(.milliseconds(300), on: .main).bind(to: clock).store(in: bag)
    combineLatest(rows.signal.map(\.count), clock.signal) { "\($0) parts at \($1)" }
      .subscribe { _ in }
      .store(in: bag)
  }

  func refresh() {
    rows.value = []
    merge(observatory.names(1), observatory.names(2), observatory.names(3))
      .subscribe(
        next: { [rows] part in rows.modify { $0.append(part) } },
        completed: { [laidOut] in laidOut.add() }
      )
      .store(in: bag)
  }
}
