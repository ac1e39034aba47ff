import Reactive
import Synchronization

/// A storefront: each page is put together from several loaded parts, for members and for guests.
///
/// Rebuilt from Kotlin/kotlinx.coroutines#2667. One part that never sent kept the whole combination
/// from sending: guests saw an account page that stayed blank.
extension Real {
  static let storefront = Report("storefront", "a blank page") { version in
    let store = Store()
    let pages = Pages(store)
    pages.openHome()
    pages.openCart()
    pages.openAccount(of: Shopper(name: "member", isMember: true), version)
    pages.openAccount(of: Shopper(name: "guest", isMember: false), version)
    for round in 1...8 {
      await pause(500)
      store.stock.value -= 1
      if round.isMultiple(of: 2) { store.cart.send(round) }
      store.orders.send(round)
    }
    await pause(200)
    let guest = pages.count("account of guest")
    let member = pages.count("account of member")
    print("account page: shown \(guest) times to the guest, \(member) to the member")
    return [store, pages]
  }
}

private struct Shopper: Sendable {
  let name: String
  let isMember: Bool
}

private final class Store: Sendable {
  let stock = MutableProperty(40, "stock")
  let cart = BehaviorSubject<Int, Never>(0, "cart")
  let orders = Subject<Int, Never>("orders")
  private let queue = QueueScheduler(label: "store")

  /// Loads one thing; sends nothing if `value` is nil.
  func load(_ thing: String, _ value: Int?) -> Signal<Int, Never> {
    Signal.timer(after: .milliseconds(80), on: queue).compactMap { value }
  }

  func points(of shopper: Shopper) -> Signal<Int, Never> {
    load("points", shopper.isMember ? 120 : nil)
  }

  func address(of shopper: Shopper) -> Signal<Int, Never> { load("address", 7) }

  func banner() -> Signal<Int, Never> { load("banner", nil) }
}

private final class Pages: Sendable {
  private let store: Store
  private let bag = DisposableBag()
  private let drawn = Mutex<[String: Int]>([:])

  init(_ store: Store) { self.store = store }

  func openHome() {
    let banner = store.banner().defaultIfEmpty(0)
    page("home", combineLatest(store.stock.signal, banner) { "\($0) and \($1)" })
    page("advice", store.load("advice", nil).map { "\($0)" })
  }

  func openCart() {
    let delivery = store.load("delivery", 3)
    page("cart", combineLatest(store.cart.signal, delivery) { "\($0) in \($1) days" })
    page("last order", store.orders.signal.withLatest(from: store.stock.signal).map { "\($0)" })
  }

  func openAccount(of shopper: Shopper, _ version: Version) {
    let orders = store.orders.signal.startWith(0)
    var points = store.points(of: shopper)  // blame
    if version == .fixed { points = points.defaultIfEmpty(0) }
    let account = combineLatest(orders, store.address(of: shopper), points)  // blame, too
    page("account of \(shopper.name)", account.map { "\($0)" })
  }

  func count(_ page: String) -> Int { drawn.withLock { $0[page, default: 0] } }

  private func page(_ name: String, _ contents: Signal<String, Never>) {
    contents.deliver(on: .main).subscribe { [weak self] _ in
      self?.drawn.withLock { $0[name, default: 0] += 1 }
    }
    .store(in: bag)
  }
}
