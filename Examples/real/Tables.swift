import Reactive
import ReactiveTrace

/// A waiter's app: the dishes ordered at the chosen table are shown by a live query, the bar has
/// its own screen, and bills are printed.
///
/// Rebuilt from getditto/samples#28. Each choice started a query while earlier ones continued: the
/// app used more and more memory, and its screen was drawn for tables not shown.
extension Real {
  static let tables = Report("tables", "draws more and more") { version in
    let kitchen = Kitchen()
    let floor = FloorScreen(kitchen, version)
    for round in 1...8 {
      floor.choose(round)
      await pause(70)
      kitchen.order("soup", table: round)
      await pause(70)
      let bar = BarScreen(kitchen)
      kitchen.order("wine \(round)", table: 0)
      await pause(70)
      if round.isMultiple(of: 2) { floor.print(round) }
      withExtendedLifetime(bar) { kitchen.serve(table: 0) }
      await pause(70)
    }
    let before = floor.drawn.value
    for table in 1...8 {
      kitchen.order("coffee", table: table)
      await pause(50)
    }
    await pause(100)
    print(
      "tables: one more dish at table 8, and the screen was drawn",
      floor.drawn.value - before,
      "times; \(floor.bills.value) bills"
    )
    return [kitchen, floor] as [Any]
  }
}

private final class Kitchen: Sendable {
  private let orders = MutableProperty<[Int: [String]]>([:], "orders")

  /// The dishes of a table, now and whenever they change.
  func dishes(of table: Int) -> Signal<[String], Never> {
    orders.signal.map { $0[table, default: []] }
      .distinctUntilChanged()
      .deliver(on: .main)
  }

  func order(_ dish: String, table: Int) {
    orders.modify { $0[table, default: []].append(dish) }
  }

  func serve(table: Int) { orders.modify { $0[table] = [] } }
}

/// Prints for a while, and then completes.
private final class BillPrinter: Sendable {
  private let queue = QueueScheduler(label: "bill printer")

  func print(_ lines: [String]) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(40), on: queue).map { "\(lines.count) dishes" }
  }
}

private final class FloorScreen: Sendable {
  let drawn = Counter()
  let bills = Counter()
  private let table = MutableProperty(1, "table")
  private let list = MutableProperty<[String]>([], "list")
  private let title = MutableProperty("", "title")
  private let prints = Subject<Int, Never>("prints")
  private let kitchen: Kitchen
  private let printer = BillPrinter()
  private let bag = DisposableBag()

  init(_ kitchen: Kitchen, _ version: Version) {
    self.kitchen = kitchen
    table.signal.map { "Table \($0)" }.bind(to: title).store(in: bag)
    if version == .fixed {
      table.signal.distinctUntilChanged()
        .flatMapLatest { kitchen.dishes(of: $0) }
        .subscribe { [weak self] in self?.draw($0) }
        .store(in: bag)
    } else {
      table.signal.distinctUntilChanged()
        .subscribe { [weak self] table in  // blame, too
          guard let self else { return }
          kitchen.dishes(of: table)
            .subscribe { [weak self] in self?.draw($0) }  // blame
            .store(in: bag)
        }
        .store(in: bag)
    }
    prints.signal
      .subscribe { [weak self] _ in
        guard let self else { return }
        printer.print(list.value)
          .subscribe { [bills] _ in bills.add() }
          .store(in: bag)
      }
      .store(in: bag)
    combineLatest(title.signal, list.signal) { "\($0): \($1.count)" }
      .throttle(.milliseconds(100), on: .main)
      .subscribe { _ in }
      .store(in: bag)
  }

  func choose(_ table: Int) { self.table.value = table }

  func print(_ table: Int) { prints.send(table) }

  private func draw(_ dishes: [String]) {
    drawn.add()
    list.value = dishes
  }
}

/// A screen with the orders for the bar, which is opened and closed again.
private final class BarScreen: Sendable {
  private let list = MutableProperty<[String]>([], "bar list")
  private let bag = DisposableBag()

  init(_ kitchen: Kitchen) {
    kitchen.dishes(of: 0).bind(to: list).store(in: bag)
    list.signal.map(\.count).distinctUntilChanged().subscribe { _ in }.store(in: bag)
  }
}
