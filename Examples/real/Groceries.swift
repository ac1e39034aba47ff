import Reactive
import ReactiveTrace

/// A grocery shop with a catalogue, a cart and a window for one product. Screens subscribe while
/// they are visible; users leave a screen for another and come back.
///
/// Rebuilt from czyrux/GroceryStore#37. When users came back to a screen, nothing on it changed any
/// more, whatever they put into the cart.
extension Real {
  static let groceries = Report("groceries", "a screen that stands still") { version in
    let shop = Shop()
    let catalogue = Catalogue(shop)
    let cart = CartScreen(shop, version)
    for visit in 1...6 {
      catalogue.start()
      await pause(150)
      let product = ProductWindow(shop, "product \(visit)")
      await pause(120)
      product.buy()
      product.close()
      catalogue.stop()
      cart.start()
      await pause(130)
      shop.put("bag")
      await pause(130)
      cart.stop()
      Trace.mark("visit \(visit)")
    }
    print("groceries: the cart was shown on \(cart.visitsShown) of 6 visits")
    return [shop, catalogue, cart] as [Any]
  }
}

private final class Shop: Sendable {
  let cart = MutableProperty<[String]>([], "cart")
  let prices: Signal<Int, Never>
  private let queue = QueueScheduler(label: "shop")

  init() {
    prices = Signal.interval(.milliseconds(60), on: queue).map { 100 + $0 % 7 }
  }

  func put(_ product: String) { cart.modify { $0.append(product) } }

  /// The available amount of a product.
  func supply(of product: String) -> Signal<Int, Never> {
    Signal.interval(.milliseconds(50), on: queue).map { product.count + $0 }
  }
}

@MainActor
private final class Catalogue {
  private let shop: Shop
  private let price = MutableProperty(0, "price")
  private let badge = MutableProperty(0, "badge")
  private let seen = DisposableBag()

  init(_ shop: Shop) { self.shop = shop }

  func start() {
    shop.prices.deliver(on: .main).bind(to: price).store(in: seen)
    shop.cart.signal.map(\.count).bind(to: badge).store(in: seen)
  }

  func stop() { seen.empty() }
}

@MainActor
private final class CartScreen {
  private let shop: Shop
  private let version: Version
  private let lines = MutableProperty<[String]>([], "lines")
  private let sum = MutableProperty(0, "sum")
  private let shown = Counter()
  private var seen = CompositeDisposable()  // blame, too
  private var shownBefore = 0
  private(set) var visitsShown = 0

  init(_ shop: Shop, _ version: Version) {
    self.shop = shop
    self.version = version
  }

  func start() {
    shownBefore = shown.value
    shop.cart.signal
      .doNext { [shown] _ in shown.add() }
      .deliver(on: .main)
      .bind(to: lines)
      .store(in: seen)
    combineLatest(shop.cart.signal, shop.prices) { $0.count * $1 }
      .distinctUntilChanged()
      .doNext { [shown] _ in shown.add() }
      .deliver(on: .main)
      .bind(to: sum)
      .store(in: seen)
  }

  func stop() {
    seen.dispose()  // blame
    if version == .fixed { seen = CompositeDisposable() }
    // The value that is shown at the start does not count.
    if shown.value > shownBefore + 1 { visitsShown += 1 }
  }
}

/// The window of one product, made anew for each product.
@MainActor
private final class ProductWindow {
  private let shop: Shop
  private let name: String
  private let left = MutableProperty(0, "left")
  private let open = CompositeDisposable()

  init(_ shop: Shop, _ name: String) {
    self.shop = shop
    self.name = name
    shop.supply(of: name).deliver(on: .main).bind(to: left).store(in: open)
    shop.prices.map { "\(name) costs \($0)" }.deliver(on: .main).subscribe { _ in }.store(in: open)
  }

  func buy() { shop.put(name) }

  func close() { open.dispose() }
}
