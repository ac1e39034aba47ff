import Reactive
import ReactiveTrace
import Synchronization

/// A search page for houses: the content of the form is also in the address, so that users can go
/// back or share the address. The list has an order, and a house in it can be selected on a map.
///
/// Rebuilt from angular/angular#11551. The address was written into the form, and the form into the
/// address: to break the loop, the reporter wanted to set the form without a notification.
extension Real {
  static let filters = Report("filters", "loads over and over") { version in
    let page = HousePage(version)
    for round in 1...5 {
      page.form.set(Filter(town: "town \(round)", rooms: round))
      Trace.mark("searched")
      await pause(250)
      page.order.value = round.isMultiple(of: 2) ? "price" : "size"
      page.select("house \(round)")
      await pause(300)
    }
    await pause(300)
    print("filters: the page was loaded \(page.router.loads.value) times for 5 searches")
    return page
  }
}

private struct Filter: Equatable, Sendable {
  var town = ""
  var rooms = 1

  /// The part of the address after the question mark.
  var query: String { "town=\(town)&rooms=\(rooms)" }

  init(town: String, rooms: Int) {
    self.town = town
    self.rooms = rooms
  }

  init?(query: String) {
    let parts = query.split(separator: "&").map { $0.split(separator: "=").last.map(String.init) }
    guard parts.count == 2, let town = parts[0], let rooms = parts[1].flatMap({ Int($0) }) else {
      return nil
    }
    self.init(town: town, rooms: rooms)
  }
}

/// Goes to an address after a while, unless it is sent elsewhere meanwhile.
private final class Router: Sendable {
  let address = MutableProperty("town=York&rooms=3", "address")
  let loads = Counter()
  private let targets = Subject<String, Never>("targets")
  private let bag = DisposableBag()

  init() {
    targets.signal
      .flatMapLatest { Signal.timer(after: .milliseconds(30), on: .main).map(to: $0) }
      .subscribe { [address, loads] target in
        loads.add()
        address.value = target
      }
      .store(in: bag)
  }

  func navigate(to target: String) { targets.send(target) }
}

private final class Form: Sendable {
  let filter = MutableProperty(Filter(town: "", rooms: 1), "filter")
  let changes = Subject<Filter, Never>("changes")

  func set(_ filter: Filter, isTold: Bool = true) {
    self.filter.value = filter
    if isTold { changes.send(filter) }
  }
}

private final class HousePage: Sendable {
  let form = Form()
  let router = Router()
  let order = MutableProperty("price", "order")
  private let menu = MutableProperty("", "menu")
  private let selection = MutableProperty("", "selection")
  private let pin = MutableProperty("", "pin")
  private let houses = MutableProperty<[String]>([], "houses")
  private let drawn = Counter()
  private let bag = DisposableBag()

  init(_ version: Version) {
    let form = form
    let router = router
    follow(router.address.signal.compactMap { Filter(query: $0) }) {
      form.set($0, isTold: version == .reported)  // blame
    }
    follow(form.changes.signal.map(\.query)) { router.navigate(to: $0) }  // blame, too
    follow(router.address.signal) { [houses] in houses.value = ["a house for \($0)"] }
    // The list and the map each follow the selection of the other.
    follow(selection.signal.distinctUntilChanged()) { [pin] in pin.value = $0 }
    follow(pin.signal.distinctUntilChanged()) { [selection] in selection.value = $0 }
    menu.bindTwoWay(to: order).store(in: bag)
    follow(combineLatest(houses.signal, menu.signal, pin.signal)) { [drawn] _ in drawn.add() }
    follow(form.filter.signal.debounce(.milliseconds(100), on: .main)) { [drawn] _ in drawn.add() }
  }

  func select(_ house: String) { selection.value = house }

  private func follow<Value>(
    _ values: Signal<Value, Never>,
    _ handle: @escaping @Sendable (Value) -> Void
  ) {
    values.deliver(on: .main).subscribe(next: handle).store(in: bag)
  }
}
