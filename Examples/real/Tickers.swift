import Reactive
import ReactiveTrace
import Synchronization

/// A dashboard of tiles that come and go; each tile counts events while it is shown.
///
/// Rebuilt from ReactiveX/RxJava#5803. An object that counted events was dropped. If nothing else
/// held the subject of the events, the object was freed; with an interval, it stayed for ever.
extension Real {
  static let tickers = Report("tickers", "tiles that are gone still count") { version in
    let events = Subject<String, Never>("events")
    let dashboard = Dashboard(events, version)
    for round in 1...8 {
      dashboard.arrange(round)
      events.send("round \(round)")
      await pause(450)
      Trace.mark("arranged \(round)")
    }
    print("\(Tile.alive) tiles are alive, \(dashboard.shown) are shown")
    return [events, dashboard] as [Any]
  }
}

/// A tile that counts the events it is given.
private final class Tile: Sendable {
  static var alive: Int { population.withLock { $0 } }
  private static let population = Mutex(0)

  let value = MutableProperty(0, "value")
  private let bag = DisposableBag()

  init(_ events: Signal<Void, Never>) {
    Self.population.withLock { $0 += 1 }
    events.subscribe { [weak self] in self?.value.modify { $0 += 1 } }.store(in: bag)
  }

  /// Makes a tile whose events are passed to `count` later.
  init() { Self.population.withLock { $0 += 1 } }

  deinit { Self.population.withLock { $0 -= 1 } }

  func count(_ events: Signal<Void, Never>) -> any Disposable {
    events.subscribe { self.value.modify { $0 += 1 } }
  }
}

private final class Dashboard: Sendable {
  private let events: Subject<String, Never>
  private let version: Version
  private let clock = QueueScheduler(label: "clock")
  private let tiles = Mutex<[Tile]>([])
  /// The subscriptions of the current tiles.
  private let arrangement = DisposableBag()
  private let bag = DisposableBag()

  init(_ events: Subject<String, Never>, _ version: Version) {
    self.events = events
    self.version = version
    note(events.signal)
    note(Signal.interval(.milliseconds(700), on: clock).map { "minute \($0)" })
    note(events.signal.debounce(.milliseconds(100), on: clock).map { "quiet after \($0)" })
  }

  var shown: Int { tiles.withLock { $0.count } }

  /// Replaces all tiles.
  func arrange(_ round: Int) {
    arrangement.empty()
    let uptime = Tile()
    let beats = every(.milliseconds(100))
    let counting = uptime.count(beats)  // blame
    if version == .fixed { counting.store(in: arrangement) }

    let memory = Tile(every(.milliseconds(150)))
    let visits = Tile(events.signal.map { _ in () })
    let alarms = Tile()
    alarms.count(events.signal.filter { $0.hasSuffix("7") }.map { _ in () }).store(in: arrangement)
    tiles.withLock { $0 = [uptime, memory, visits, alarms] }
  }

  private func every(_ interval: Duration) -> Signal<Void, Never> {
    Signal.interval(interval, on: clock).map { _ in () }
  }

  private func note(_ texts: Signal<String, Never>) {
    texts.subscribe { _ in }.store(in: bag)
  }
}
