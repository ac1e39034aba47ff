import Reactive
import Synchronization

/// A visitor, who types into the search, watches prices, and may buy something.
final class Visitor: Sendable {
  private let simulation: Simulation
  private let queues: Queues
  private let query = MutableProperty("", "query")
  private let results = MutableProperty<[String]>([], "results")
  private let basket = MutableProperty(0, "basket")
  private let pay: Action<Int, String, Never>
  private let hasLeft = Mutex(false)
  private let bag = DisposableBag()

  init(_ simulation: Simulation, _ queues: Queues, _ market: Market, _ stock: Stock) {
    self.simulation = simulation
    self.queues = queues
    pay = Action(enabledIf: basket.signal.map { $0 > 0 }, on: queues.main) { sum in
      Signal.timer(after: simulation.time(around: .milliseconds(400)), on: queues.network)
        .map { "paid \(sum)" }
    }
    query.signal
      .skip(1)
      .debounce(.milliseconds(300), on: queues.main)
      .distinctUntilChanged()
      .flatMapLatest { text in
        Signal.timer(after: simulation.time(around: .milliseconds(250)), on: queues.database)
          .map { [text] }
      }
      .deliver(on: queues.main)
      .bind(to: results)
      .store(in: bag)
    market.prices
      .filter { $0.product == 3 }
      .deliver(on: queues.main)
      .subscribe { _ in simulation.work(for: .microseconds(100)) }
      .store(in: bag)
    pay.values.subscribe { [basket] _ in basket.value = 0 }.store(in: bag)
    lookAround()
  }

  func leave() {
    hasLeft.withLock { $0 = true }
    bag.empty()
  }

  private func lookAround() {
    queues.main.schedule(after: simulation.time(around: .seconds(20))) { [weak self] in
      guard let self, !hasLeft.withLock({ $0 }) else { return }
      switch simulation.number(below: 4) {
      case 0: basket.modify { $0 += 1 }
      case 1 where basket.value > 0: pay.execute(basket.value)
      default: type(1 + simulation.number(below: 8))
      }
      lookAround()
    }
  }

  /// Types some letters, one by one.
  private func type(_ letters: Int) {
    guard letters > 0 else { return }
    queues.main.schedule(after: simulation.time(around: .milliseconds(150))) { [weak self] in
      guard let self, !hasLeft.withLock({ $0 }) else { return }
      query.modify { $0 += String(letters) }
      type(letters - 1)
    }
  }
}
