import Reactive
import ReactiveTrace
import Synchronization

/// The page of a payment node: it polls channels, tokens and a balance, requests the version of the
/// node once, and now and then the user makes a deposit.
///
/// Rebuilt from raiden-network/webui#29. After the node had been away for a moment, users saw
/// old numbers until they reloaded the page.
extension Real {
  static let channels = Report("channels", "old numbers after an outage") { version in
    let node = Node()
    let wallet = Wallet(node, version)
    for hour in 1...4 {
      node.addOne()
      await pause(300)
      wallet.deposits.send(hour)
      await pause(150)
      Trace.mark("hour \(hour)")
    }
    node.isAway = true
    wallet.deposits.send(5)
    await pause(350)
    node.isAway = false
    node.addOne()
    await pause(100)
    wallet.deposits.send(6)
    await pause(700)
    Trace.mark("evening")
    let channels = wallet.shown("channels")
    print("channels: \(channels) of 5 are shown, and \(wallet.shown("tokens")) of 5 tokens")
    return [node, wallet]
  }
}

private struct Unreachable: Error {}

private final class Node: Sendable {
  private struct State { var isAway = false, count = 0 }

  private let queue = QueueScheduler(label: "node")
  private let state = Mutex(State())

  var isAway: Bool {
    get { state.withLock { $0.isAway } }
    set { state.withLock { $0.isAway = newValue } }
  }

  /// Adds one to every number.
  func addOne() { state.withLock { $0.count += 1 } }

  func get(_ topic: String) -> Signal<Int, Unreachable> {
    Signal.timer(after: .milliseconds(25), on: queue).tryMap { [self] _ throws(Unreachable) in
      if isAway { throw Unreachable() }
      return state.withLock { $0.count }
    }
  }
}

/// Polls at once and then at an interval, while it has subscribers.
private func poll(
  _ interval: Duration,
  _ request: @escaping @Sendable () -> Signal<Int, Unreachable>
) -> Signal<Int, Unreachable> {
  Signal.interval(interval, on: .background).startWith(0)
    .flatMapLatest { _ in request() }
}

private final class Wallet: Sendable {
  let deposits = Subject<Int, Never>("deposits")
  private let numbers = Mutex<[String: Int]>([:])
  private let notice = MutableProperty("", "notice")
  private let bag = DisposableBag()

  init(_ node: Node, _ version: Version) {
    let channels = poll(.milliseconds(100)) { node.get("channels") }  // blame
    if version == .fixed {
      show("channels", channels.retry(delay: .milliseconds(120), on: .background))
    } else {
      show("channels", channels)  // blame, too
    }
    show(
      "tokens",
      poll(.milliseconds(110)) { node.get("tokens") }
        .retry(delay: .milliseconds(120), on: .background)
    )
    show("balance", poll(.milliseconds(90)) { node.get("balance").catch { _ in .empty() } })
    show("version", node.get("version"))
    deposits.signal
      .subscribe { [weak self] in self?.show("deposit \($0)", node.get("deposit")) }
      .store(in: bag)
    Signal.interval(.milliseconds(200), on: .main).map { $0 % 2 == 0 ? "" : "online" }
      .bind(to: notice)
      .store(in: bag)
  }

  /// The number that is shown at a place.
  func shown(_ place: String) -> Int { numbers.withLock { $0[place, default: 0] } }

  private func show(_ place: String, _ values: Signal<Int, Unreachable>) {
    values.deliver(on: .main)
      .subscribe(
        next: { [weak self] number in self?.numbers.withLock { $0[place] = number } },
        failed: { [notice] _ in notice.value = "no answer for \(place)" }
      )
      .store(in: bag)
  }
}
