import Reactive

/// A ticket shop: after a trip is chosen, it shows the price, the free seats and the total.
///
/// Rebuilt from ReactiveX/RxJava#6338. The latest values of two signals with the same source were
/// combined: for a moment the new value of one came with the old value of the other.
extension Real {
  static let fares = Report("fares", "offers that do not exist") { version in
    let shop = Shop(version)
    let favourites = Favourites(shop.discount.signal)
    for round in 0..<10 {
      shop.choose(Trip(price: 20 + round * 3, seats: 90 - round * 7))
      await pause(120)
      if round.isMultiple(of: 3) { shop.discount.value = round }
      if round.isMultiple(of: 2) { favourites.star(40 + round) }
      if round.isMultiple(of: 4) { shop.language.value = "language \(round)" }
      await pause(150)
    }
    print(
      "shop: \(shop.offers.value) offers were shown, \(shop.wrong.value) of them for no trip there is"
    )
    return [shop, favourites] as [Any]
  }
}

private struct Trip: Equatable, Sendable {
  var price = 0
  var seats = 111
}

private final class Shop: Sendable {
  let discount = MutableProperty(0, "discount")
  let language = MutableProperty("", "language")
  let offers = Counter()
  let wrong = Counter()
  private let trip = MutableProperty(Trip(price: 17, seats: 97), "trip")
  private let bill = MutableProperty("", "bill")
  private let drawn = Counter()
  private let bag = DisposableBag()

  init(_ version: Version) {
    let prices = trip.signal.map(\.price)
    let seats = trip.signal.map(\.seats)
    let offered =
      version == .fixed
      ? trip.signal.map { ($0.price, $0.seats) }
      : combineLatest(prices, seats) { ($0, $1) }  // blame
    show(offered) { [offers, wrong] price, seats in
      offers.add()
      // For every 3 that a trip costs more, it has 7 seats fewer.
      if (price - 20) * 7 != (90 - seats) * 3 { wrong.add() }
    }
    show(combineLatest(prices, discount.signal) { $0 * (100 - $1) / 100 }) { [bill] sum in
      bill.value = "\(sum) to pay"
    }
    show(combineLatest(bill.signal, language.signal) { "\($0) (\($1))" }) { [drawn] _ in
      drawn.add()
    }
    show(prices.withLatest(from: seats)) { [drawn] _, _ in drawn.add() }
    show(seats.map { $0 < 40 }.distinctUntilChanged()) { [drawn] _ in drawn.add() }
    show(Signal.interval(.milliseconds(400), on: .background)) { [drawn] _ in drawn.add() }
  }

  func choose(_ trip: Trip) { self.trip.value = trip }

  private func show<Value>(
    _ values: Signal<Value, Never>,
    _ draw: @escaping @Sendable (Value) -> Void
  ) {
    values.subscribe(next: draw).store(in: bag)
  }
}

/// Starred trips, of which the cheapest is shown with the discount, and their number.
private final class Favourites: Sendable {
  private let prices = MutableProperty<[Int]>([], "favourites")
  private let banner = MutableProperty("", "banner")
  private let bag = DisposableBag()

  init(_ discount: Signal<Int, Never>) {
    let cheapest = prices.signal.compactMap { $0.min() }.distinctUntilChanged()
    combineLatest(cheapest, discount) { "from \($0 * (100 - $1) / 100)" }
      .bind(to: banner)
      .store(in: bag)
    prices.signal.map(\.count)
      .withLatest(from: banner.signal)
      .deliver(on: .main)
      .subscribe()
      .store(in: bag)
  }

  func star(_ price: Int) { prices.modify { $0.append(price) } }
}
