import Reactive
import Synchronization

/// A shop's baskets: the sum of the open basket follows from its items and their current prices.
///
/// Rebuilt from ReactiveX/rxjs#3189. The latest values of a list of signals were combined, and the
/// list could be empty: users expected an empty list of values and got no value at all.
extension Real {
  static let baskets = Report("baskets", "sum stays as it was") { version in
    let market = Market()
    let till = Till(market, version)
    for things in [["tea"], ["tea", "milk"], [], ["bread"], [], ["milk", "bread", "tea"], []] {
      till.open(things)
      await pause(500)
    }
    print("the last basket is empty, and its sum is \(till.sum)")
    return [market, till] as [Any]
  }
}

/// The prices of the items, which change now and then.
private final class Market: Sendable {
  private let prices: [String: BehaviorSubject<Int, Never>]
  private let queue = QueueScheduler(label: "market")
  private let bag = DisposableBag()

  init() {
    let prices = [
      "tea": BehaviorSubject<Int, Never>(300, "tea"),
      "milk": BehaviorSubject<Int, Never>(120, "milk"),
      "bread": BehaviorSubject<Int, Never>(250, "bread"),
    ]
    self.prices = prices
    for (name, price) in prices.sorted(by: { $0.key < $1.key }) {
      Signal.interval(.milliseconds(100 + 50 * name.count), on: queue)
        .subscribe { price.send(100 + 10 * ($0 % 9) + name.count) }
        .store(in: bag)
    }
  }

  func price(of thing: String) -> Signal<Int, Never> { prices[thing]?.signal ?? .empty() }
}

private final class Till: Sendable {
  private let opened = BehaviorSubject<[String], Never>([], "opened")
  private let favourites = BehaviorSubject<[String], Never>(["milk", "tea"], "favourites")
  private let lines = Mutex<[String: String]>([:])
  private let bag = DisposableBag()

  init(_ market: Market, _ version: Version) {
    let prices = { @Sendable (things: [String]) -> Signal<[Int], Never> in
      if version == .fixed && things.isEmpty { return .just([]) }
      return combineLatest(things.map(market.price))  // blame
    }
    show("sum", opened.signal.flatMapLatest(prices).map { "\($0.reduce(0, +))" })
    show("things", opened.signal.map { $0.joined(separator: ", ") })
    show("count", opened.signal.map { "\($0.count) things" })
    show("favourites", favourites.signal.flatMapLatest(prices).map { "from \($0.min() ?? 0)" })
    show("dearest", combineLatest(["tea", "bread"].map(market.price)).map { "\($0.max() ?? 0)" })
    show("milk", market.price(of: "milk").distinctUntilChanged().map { "milk \($0)" })
    show("saved", opened.signal.debounce(.milliseconds(200), on: .main).map { "saved \($0.count)" })
  }

  var sum: String { lines.withLock { $0["sum", default: "missing"] == "0" ? "0" : "not 0" } }

  func open(_ things: [String]) { opened.send(things) }

  private func show(_ part: String, _ texts: Signal<String, Never>) {
    texts.deliver(on: .main).subscribe { [weak self] text in
      self?.lines.withLock { $0[part] = text }
    }
    .store(in: bag)
  }
}
