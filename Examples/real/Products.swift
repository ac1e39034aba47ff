import Reactive

/// A page that compares products: for the chosen product, the offer arrives quickly and the buyers'
/// opinions take longer.
///
/// Rebuilt from Reactive-Extensions/RxJS#274. Users who chose another product before everything had
/// arrived saw the offer of one product with opinions on another from then on.
extension Real {
  static let products = Report("products", "parts that do not belong together") { version in
    let catalogue = Catalogue()
    let page = Page(catalogue, version)
    for product in [1, 2, 3] {
      page.choose(product)
      await pause(400)
    }
    page.choose(4)
    await pause(140)
    for product in [5, 6, 7, 8] {
      page.choose(product)
      await pause(400)
      if product == 6 { page.sort(by: "price") }
    }
    print("products: \(page.shown.value) were shown, \(page.wrong.value) with other opinions")
    return [catalogue, page] as [Any]
  }
}

private struct Offer: Sendable {
  let product: Int
  let price: Int
}

private struct Opinions: Sendable {
  let product: Int
  let stars: Int
}

private struct Picture: Sendable {
  let product: Int
  let number: Int
}

private final class Catalogue: Sendable {
  private let queue = QueueScheduler(label: "catalogue")
  private let requests = Counter()

  func offer(_ product: Int) -> Signal<Offer, Never> {
    answer(after: 30) { Offer(product: product, price: product * 7 % 5) }
  }

  func opinions(_ product: Int) -> Signal<Opinions, Never> {
    answer(after: 260) { Opinions(product: product, stars: product % 4) }
  }

  func picture(_ number: Int, of product: Int) -> Signal<Picture, Never> {
    answer(after: 20) { Picture(product: product, number: number) }
  }

  private func answer<Value: Sendable>(
    after milliseconds: Int,
    _ make: @escaping @Sendable () -> Value
  ) -> Signal<Value, Never> {
    Signal.timer(after: .milliseconds(milliseconds), on: queue).map { [requests] in
      requests.add()
      return make()
    }
  }
}

private final class Page: Sendable {
  let shown = Counter()
  let wrong = Counter()
  private let chosen = Subject<Int, Never>("chosen")
  private let order = MutableProperty("name", "order")
  private let gallery = MutableProperty<[Int]>([], "gallery")
  private let history = MutableProperty<[Int]>([], "history")
  private let bag = DisposableBag()

  init(_ catalogue: Catalogue, _ version: Version) {
    let details =
      version == .fixed
      ? chosen.signal.flatMapLatest { zip(catalogue.offer($0), catalogue.opinions($0)) }
      : zip(  // blame
        chosen.signal.flatMapLatest { catalogue.offer($0) },
        chosen.signal.flatMapLatest { catalogue.opinions($0) }  // blame, too
      )
    show(details) { [shown, wrong] offer, opinions in
      shown.add()
      if offer.product != opinions.product { wrong.add() }
    }
    let pictures = chosen.signal.flatMapLatest { product in
      zip(catalogue.picture(1, of: product), catalogue.picture(2, of: product))
    }
    show(pictures) { [gallery] first, second in gallery.value = [first.number, second.number] }
    // Pairs each product with the one chosen before it.
    show(zip(chosen.signal, chosen.signal.skip(1))) { [history] before, now in
      history.modify { $0.append(now - before) }
    }
    show(combineLatest(order.signal, history.signal.map(\.count))) { _, _ in }
    show(Signal.interval(.milliseconds(300), on: .background).withLatest(from: order.signal)) {
      _,
      _ in
    }
  }

  func choose(_ product: Int) { chosen.send(product) }

  func sort(by order: String) { self.order.value = order }

  private func show<First: Sendable, Second: Sendable>(
    _ pairs: Signal<(First, Second), Never>,
    _ draw: @escaping @Sendable (First, Second) -> Void
  ) {
    pairs.deliver(on: .main).subscribe { draw($0.0, $0.1) }.store(in: bag)
  }
}
