import Reactive
import Synchronization

/// A departure board in a station hall: its address contains the station and the options; it looks
/// up trains, the weather and announcements.
///
/// Rebuilt from benfl3713/DepartureBoard#320. A handler made and kept a subscription each time it
/// was called: the board grew slower from day to day until it ran out of memory.
extension Real {
  static let departures = Report("departures", "slower from day to day") { version in
    let railway = Railway()
    let address = Address()
    let board = Board(railway, address, version)
    for (round, station) in ["Leeds", "Derby", "Crewe", "Bath", "Oxford"].enumerated() {
      await pause(300)
      railway.announce("notice \(round)")
      if round.isMultiple(of: 2) { address.options.modify { $0.showsPlatforms.toggle() } }
      await pause(200)
      address.station.value = station
    }
    await pause(400)
    railway.forget()
    await pause(800)
    print("departures: one board looks up trains for \(railway.stations("trains")) of 6 stations")
    return [railway, address, board] as [Any]
  }
}

private struct Options: Sendable {
  var showsPlatforms = true
  var language = "en"
}

private final class Address: Sendable {
  let station = MutableProperty("York", "station")
  let options = MutableProperty(Options(), "options")
}

/// Answers after a while, and remembers which stations it was asked about.
private final class Railway: Sendable {
  let notices = Subject<String, Never>("notices")
  private let queue = QueueScheduler(label: "railway")
  private let asked = Mutex<[String: Set<String>]>([:])

  func trains(of station: String, _ options: Options) -> Signal<String, Never> {
    let ending = options.showsPlatforms ? " from platform 1" : ""
    return again(every: .milliseconds(150), "trains", of: station).map { $0 + ending }
  }

  func weather(at station: String) -> Signal<String, Never> {
    again(every: .milliseconds(250), "weather", of: station)
  }

  func details(of notice: String) -> Signal<String, Never> { look(up: "details", of: notice) }

  func announce(_ notice: String) { notices.send(notice) }

  func forget() { asked.withLock { $0 = [:] } }

  func stations(_ kind: String) -> Int { asked.withLock { $0[kind, default: []].count } }

  private func again(
    every interval: Duration,
    _ kind: String,
    of station: String
  ) -> Signal<String, Never> {
    Signal.interval(interval, on: queue)
      .startWith(0)
      .flatMapFirst { [self] _ in look(up: kind, of: station) }
  }

  private func look(up kind: String, of topic: String) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(30), on: queue).map { [weak self] in
      self?.asked.withLock { _ = $0[kind, default: []].insert(topic) }
      return "\(kind) of \(topic)"
    }
  }
}

private final class Board: Sendable {
  private let rows = MutableProperty("", "rows")
  private let title = MutableProperty("", "title")
  private let footer = MutableProperty("", "footer")
  private let drawn = Counter()
  private let bag = DisposableBag()

  init(_ railway: Railway, _ address: Address, _ version: Version) {
    let station = address.station.signal
    let options = address.options.signal
    watch(station) { [title] in title.value = "Departures from \($0)" }
    if version == .fixed {
      let trains = combineLatest(station, options).flatMapLatest { railway.trains(of: $0, $1) }
      watch(trains) { [rows] in rows.value = $0 }
    } else {
      watch(station) { [weak self, rows] station in  // blame, too
        let trains = options.flatMapLatest { railway.trains(of: station, $0) }
        self?.watch(trains) { rows.value = $0 }  // blame
      }
    }
    watch(station.flatMapLatest { railway.weather(at: $0) }) { [footer] in footer.value = $0 }
    watch(railway.notices.signal) { [weak self, footer] notice in
      self?.watch(railway.details(of: notice)) { footer.value = $0 }
    }
    watch(combineLatest(rows.signal, footer.signal)) { [drawn] _, _ in drawn.add() }
    watch(Signal.interval(.milliseconds(500), on: .main)) { [drawn] _ in drawn.add() }
  }

  /// Shows each value on the main queue while the board exists.
  private func watch<Value>(
    _ values: Signal<Value, Never>,
    _ show: @escaping @Sendable (Value) -> Void
  ) {
    values.deliver(on: .main).subscribe(next: show).store(in: bag)
  }
}
