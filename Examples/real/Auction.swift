import Reactive
import Synchronization

/// An auction app: bids, talk and hammer strokes come over one socket, for several screens.
///
/// Rebuilt from jacek-marchwicki/JavaWebsocketClient#25. The socket's messages were to be shared
/// with replay and refCount, but users saw a separate connection for every subscriber.
extension Real {
  static let auction = Report("auction", "many connections") { version in
    let house = AuctionHouse()
    let line = HouseLine(house, version)
    let hall = Hall(line)
    await pause(300)
    for lot in 1...4 {
      let screen = LotScreen(lot, line)
      await pause(220)
      screen.bid(lot * 100)
      await pause(180)
      screen.leave()
    }
    print("auction: \(house.most) connections at most, \(house.catalogues.value) catalogues")
    return [house, line, hall] as [Any]
  }
}

private enum Message: Sendable {
  case bid(lot: Int, sum: Int)
  case talk(String)
  case hammer(Int)
}

private final class AuctionHouse: Sendable {
  let catalogues = Counter()
  private let queue = QueueScheduler(label: "house")
  private let open = Mutex((now: 0, most: 0))

  var most: Int { open.withLock { $0.most } }

  /// A connection that is open while it has subscribers.
  func connect() -> Signal<Message, Never> {
    Signal.interval(.milliseconds(50), on: queue)
      .map { tick in
        switch tick % 3 {
        case 0: .bid(lot: tick % 4 + 1, sum: tick * 10)
        case 1: .talk("word \(tick)")
        default: .hammer(tick)
        }
      }
      .doStarted { [weak self] in self?.change(by: 1) }
      .doDisposed { [weak self] in self?.change(by: -1) }
  }

  /// Requests the catalogue entry of a lot.
  func catalogue(of lot: Int) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(40), on: queue).map { [catalogues] in
      catalogues.add()
      return "lot \(lot), oil on canvas"
    }
  }

  private func change(by number: Int) {
    open.withLock {
      $0.now += number
      $0.most = max($0.most, $0.now)
    }
  }
}

/// The connection to the auction house for all screens.
private final class HouseLine: Sendable {
  let version: Version
  let house: AuctionHouse
  private let common: Signal<Message, Never>
  private let seconds = Signal<Int, Never>.interval(.milliseconds(300), on: .background)
    .share(replay: 1)

  init(_ house: AuctionHouse, _ version: Version) {
    self.house = house
    self.version = version
    common = house.connect().share(replay: 1)
  }

  var messages: Signal<Message, Never> {
    version == .fixed ? common : house.connect().share(replay: 1)  // blame
  }

  var clock: Signal<Int, Never> { seconds }

  /// Requested again by each screen.
  func description(of lot: Int) -> Signal<String, Never> {
    house.catalogue(of: lot).share(replay: 1)
  }

  func only<Value: Sendable>(
    _ pick: @escaping @Sendable (Message) -> Value?
  ) -> Signal<Value, Never> {
    messages.compactMap(pick).deliver(on: .main)
  }
}

/// The part of the screen that is always visible.
private final class Hall: Sendable {
  private let words = MutableProperty("", "words")
  private let hammer = MutableProperty(0, "hammer")
  private let time = MutableProperty(0, "time")
  private let bag = DisposableBag()

  init(_ line: HouseLine) {
    line.only { if case .talk(let text) = $0 { text } else { nil } }
      .bind(to: words)
      .store(in: bag)
    line.only { if case .hammer(let count) = $0 { count } else { nil } }
      .bind(to: hammer)
      .store(in: bag)
    line.clock.bind(to: time).store(in: bag)
  }
}

private final class LotScreen: Sendable {
  private let highest = MutableProperty(0, "highest")
  private let title = MutableProperty("", "title")
  private let label = MutableProperty("", "label")
  private let bag = DisposableBag()

  init(_ lot: Int, _ line: HouseLine) {
    line.only { if case .bid(lot, let sum) = $0 { sum } else { nil } }
      .subscribe { [highest] sum in highest.modify { $0 = max($0, sum) } }
      .store(in: bag)
    line.description(of: lot).bind(to: title).store(in: bag)
    combineLatest(title.signal, highest.signal, line.clock) { "\($0): \($1) at \($2)" }
      .deliver(on: .main)
      .bind(to: label)
      .store(in: bag)
  }

  func bid(_ sum: Int) { highest.modify { $0 = max($0, sum) } }

  func leave() { bag.empty() }
}
