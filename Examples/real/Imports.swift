import Reactive
import ReactiveTrace
import Synchronization

/// A service that copies customers from a file to a partner who accepts few connections at a time.
///
/// Rebuilt from reactor/reactor-netty#1977. All calls were made at once, the partner answered most
/// of them with 429 (too many requests), and users looked for a way to make the others wait.
extension Real {
  static let imports = Report("imports", "calls are refused") { version in
    let partner = Partner()
    let service = ImportService(partner, version)
    for day in 1...3 {
      Trace.mark("day \(day)")
      service.take(over: (0..<24).map { "customer \(day).\($0)" })
      await pause(200)
      service.look(up: (0..<3).map { "street \(day).\($0)" })
      service.send((0..<8).map { "bill \(day).\($0)" })
      await pause(900)
    }
    print("imports: \(partner.refusals) calls were refused, \(service.done.value) customers done")
    return [partner, service] as [Any]
  }
}

private struct TooMany: Error {}

private final class Partner: Sendable {
  private let queue = QueueScheduler(label: "partner")
  private let state = Mutex((open: [String: Int](), refused: 0))

  var refusals: Int { state.withLock { $0.refused } }

  /// Accepts four calls at a time at each door.
  func call(_ door: String, with text: String) -> Signal<String, TooMany> {
    Signal<Void, TooMany>.attempt { [weak self] () throws(TooMany) in try self?.enter(door) }
      .flatMap { [queue] in Signal.timer(after: .milliseconds(80), on: queue) }
      .map { [weak self] in
        self?.leave(door)
        return "\(text) at \(door)"
      }
  }

  private func enter(_ door: String) throws(TooMany) {
    let isFull = state.withLock { state in
      let isFull = state.open[door, default: 0] == 4
      if isFull { state.refused += 1 } else { state.open[door, default: 0] += 1 }
      return isFull
    }
    if isFull { throw TooMany() }
  }

  private func leave(_ door: String) {
    state.withLock { $0.open[door, default: 0] -= 1 }
  }
}

private final class ImportService: Sendable {
  let done = Counter()
  private let partner: Partner
  private let files = Subject<[String], Never>("files")
  private let streets = Subject<[String], Never>("streets")
  private let bills = Subject<[String], Never>("bills")
  private let found = MutableProperty("", "found")
  private let status = MutableProperty("", "status")
  private let bag = DisposableBag()

  init(_ partner: Partner, _ version: Version) {
    self.partner = partner
    let customers = files.signal.concatMap { Signal<String, Never>.from($0) }
    if version == .fixed {
      customers.flatMap(limit: 4) { partner.call("customers", with: $0).orNothing() }
        .subscribe { [done] _ in done.add() }
        .store(in: bag)
    } else {
      customers.flatMap { partner.call("customers", with: $0).orNothing() }  // blame
        .subscribe { [done] _ in done.add() }
        .store(in: bag)
    }
    // There are never more than three streets at a time.
    streets.signal
      .concatMap { Signal<String, Never>.from($0) }
      .flatMap { partner.call("streets", with: $0).orNothing() }
      .bind(to: found)
      .store(in: bag)
    bills.signal
      .concatMap { Signal<String, Never>.from($0) }
      .flatMap(limit: 2) { partner.call("bills", with: $0).orNothing() }
      .bind(to: status)
      .store(in: bag)
    Signal.interval(.milliseconds(300), on: .background)
      .flatMap { partner.call("health", with: "check \($0)").orNothing() }
      .subscribe { _ in }
      .store(in: bag)
  }

  func take(over customers: [String]) { files.send(customers) }

  func look(up streets: [String]) { self.streets.send(streets) }

  func send(_ bills: [String]) { self.bills.send(bills) }
}

extension Signal where Failure == TooMany {
  /// Drops calls that are refused.
  fileprivate func orNothing() -> Signal<Value, Never> {
    self.catch { _ in Signal<Value, Never>.empty() }
  }
}
