import Reactive
import Synchronization

/// A shop's backend: each order leads to a notice once its updates have paused.
///
/// Rebuilt from ReactiveX/rxdart#606. Updates were grouped by order number, and each group remained
/// long after its order was delivered: memory grew with the number of orders.
extension Real {
  static let notices = Report("notices", "memory grows") { version in
    let office = Office()
    let desk = Desk(office, version)
    for number in 1...120 {
      for state in ["placed", "paid", "packed"] {
        office.updates.send(Update(order: number, state: state, shop: number % 3))
      }
      if number.isMultiple(of: 10) { office.staff.value += 1 }
      await pause(35)
    }
    await pause(900)
    print("notices: \(desk.shown) shown, \(desk.waiting) orders are still waited for")
    return [office, desk]
  }
}

private struct Update: Sendable {
  let order: Int
  let state: String
  let shop: Int
}

private final class Office: Sendable {
  let updates = Subject<Update, Never>("updates")
  let staff = MutableProperty(1, "staff")
}

private final class Desk: Sendable {
  private let queue = QueueScheduler(label: "desk")
  private let bag = DisposableBag()
  private let counts = Mutex((shown: 0, waiting: 0, sums: 0))

  var shown: Int { counts.withLock { $0.shown } }
  var waiting: Int { counts.withLock { $0.waiting } }

  init(_ office: Office, _ version: Version) {
    let updates = office.updates.signal
    let settled: @Sendable (Signal<Update, Never>) -> Signal<Update, Never> = { [weak self] order in
      self?.settled(order) ?? .empty()
    }
    let notices: Signal<Update, Never>
    if version == .fixed {
      notices = updates.window(every: .milliseconds(400), on: queue).flatMap { [settled] window in
        window.groupBy { $0.order }.flatMap { settled($0) }
      }
    } else {
      notices = updates.groupBy { $0.order }  // blame
        .flatMap { [settled] in settled($0) }  // blame, too
    }
    notices.subscribe { [weak self] _ in self?.counts.withLock { $0.shown += 1 } }
      .store(in: bag)

    // One sum for each of the three shops.
    updates.groupBy { $0.shop }
      .flatMap { shop in shop.scan(0) { sum, _ in sum + 1 } }
      .subscribe { [weak self] _ in self?.counts.withLock { $0.sums += 1 } }
      .store(in: bag)
    quiet(office.staff.signal).subscribe().store(in: bag)
    quiet(updates.map { $0.state }).subscribe().store(in: bag)
    updates.collect(every: .seconds(1), on: queue).subscribe().store(in: bag)
  }

  /// Sends the last update of an order when no other has come for a while.
  private func settled(_ order: Signal<Update, Never>) -> Signal<Update, Never> {
    quiet(order).do(
      started: { [weak self] in self?.counts.withLock { $0.waiting += 1 } },
      disposed: { [weak self] in self?.counts.withLock { $0.waiting -= 1 } }
    )
  }

  private func quiet<Value>(_ signal: Signal<Value, Never>) -> Signal<Value, Never> {
    signal.debounce(.milliseconds(100), on: queue)
  }
}
