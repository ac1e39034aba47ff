import Reactive
import ReactiveTrace
import Synchronization

/// A trader's desk: the tile of each pair of currencies has a button to buy; the answer covers the
/// tile until it is dismissed or has been there for a time.
///
/// Rebuilt from AdaptiveConsulting/ReactiveTraderCloud#1774. Once an answer had been dismissed by
/// hand, the tile's button did nothing any more.
extension Real {
  static let trading = Report("trading", "a dead button") { version in
    let desk = Desk()
    let bank = Bank()
    let tiles = ["EURUSD", "GBPJPY", "USDCHF"].map { Tile($0, desk, bank, version) }
    let blotter = Blotter(desk, tiles)
    for round in 1...4 {
      for tile in tiles { tile.press() }
      await pause(60)
      tiles[0].press()
      await pause(240)
      if round >= 2 { desk.dismiss("EURUSD") }
      if round == 3 { desk.dismiss("USDCHF") }
      await pause(450)
      Trace.mark("round \(round)")
    }
    let trades = tiles.map { "\($0.symbol) \(bank.trades(in: $0.symbol))" }
    print("trading: of 4 trades each there were \(trades.joined(separator: ", "))")
    return [desk, bank, tiles, blotter] as [Any]
  }
}

private enum TileState: Sendable, Equatable {
  case ready
  case started
  case finished(Int)
}

/// Sends the symbols of the answers that the user dismisses.
private final class Desk: Sendable {
  private let dismissed = Subject<String, Never>("dismissed")

  func dismiss(_ symbol: String) { dismissed.send(symbol) }

  func dismissals(of symbol: String) -> Signal<Void, Never> {
    dismissed.signal.filter { $0 == symbol }.map { _ in }
  }
}

private final class Bank: Sendable {
  private let queue = QueueScheduler(label: "bank")
  private let counts = Mutex<[String: Int]>([:])

  func trades(in symbol: String) -> Int { counts.withLock { $0[symbol, default: 0] } }

  func buy(_ symbol: String) -> Signal<Int, Never> {
    Signal.timer(after: .milliseconds(120), on: queue).map { [weak self] in
      self?.counts.withLock { counts in
        counts[symbol, default: 0] += 1
        return counts[symbol, default: 0]
      } ?? 0
    }
  }

  func price(of symbol: String) -> Signal<Int, Never> {
    Signal.interval(.milliseconds(170), on: queue).map { symbol.count * 100 + $0 % 7 }
  }
}

private final class Tile: Sendable {
  let symbol: String
  let state = MutableProperty(TileState.ready, "state")
  private let price = MutableProperty(0, "price")
  private let presses = Subject<Void, Never>("presses")
  private let chart = MutableProperty<[Int]>([], "chart")
  private let bag = DisposableBag()

  init(_ symbol: String, _ desk: Desk, _ bank: Bank, _ version: Version) {
    self.symbol = symbol
    let dismissed = desk.dismissals(of: symbol)
    let byHand = version == .fixed ? dismissed.take(1) : dismissed  // blame
    presses.signal
      .flatMapFirst {
        bank.buy(symbol)
          .map { TileState.finished($0) }
          .startWith(.started)
          .append(
            Signal.amb([byHand, Signal.timer(after: .milliseconds(350), on: .main)])
              .map { .ready }
          )
      }
      .deliver(on: .main)
      .bind(to: state)
      .store(in: bag)
    bank.price(of: symbol).deliver(on: .main).bind(to: price).store(in: bag)
    // The chart is redrawn by at most one task at a time.
    price.signal
      .flatMapFirst { newest in
        Signal.timer(after: .milliseconds(50), on: .background).map { newest }
      }
      .deliver(on: .main)
      .subscribe { [chart] newest in chart.modify { $0.append(newest) } }
      .store(in: bag)
  }

  func press() { presses.send() }
}

/// Counts what happens at the desk.
private final class Blotter: Sendable {
  private let lines = Counter()
  private let bag = DisposableBag()

  init(_ desk: Desk, _ tiles: [Tile]) {
    for tile in tiles {
      tile.state.signal
        .compactMap { if case .finished(let number) = $0 { number } else { nil } }
        .subscribe { [lines] _ in lines.add() }
        .store(in: bag)
      desk.dismissals(of: tile.symbol).subscribe { [lines] in lines.add() }.store(in: bag)
    }
    Signal.amb([tiles[0].state.signal, tiles[1].state.signal])
      .filter { $0 == .started }
      .take(1)
      .subscribe { [lines] _ in lines.add() }
      .store(in: bag)
  }
}
