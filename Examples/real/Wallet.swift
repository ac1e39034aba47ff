import Reactive
import ReactiveTrace
import Synchronization

/// A wallet: each refresh requests the balance, rates and history from a node.
///
/// Rebuilt from tangem/tangem-app-ios-old#1858. The balance request was part of the combined
/// refresh and was also subscribed to alone: each refresh made the request twice.
extension Real {
  static let wallet = Report("wallet", "requests are made twice") { version in
    let node = Node()
    let wallet = Wallet(node, version)
    for round in 1...6 {
      Trace.mark("refresh \(round)")
      wallet.refresh()
      await pause(600)
    }
    let (balance, rates) = (node.count("balance"), node.count("rates"))
    print("node: 6 refreshes, asked \(balance) times for the balance, \(rates) for the rates")
    return [node, wallet]
  }
}

private enum NodeFailure: Error { case unknown }

private final class Node: Sendable {
  private let queue = QueueScheduler(label: "node")
  private let asked = Mutex<[String: Int]>([:])

  /// Makes a request for each subscription.
  func request(_ path: String) -> Signal<Int, NodeFailure> {
    Signal.create { [weak self] observer in
      guard let self else { return observer.fail(.unknown) }
      let number = asked.withLock { asked in
        asked[path, default: 0] += 1
        return asked[path, default: 0]
      }
      let answer = queue.schedule(after: .milliseconds(90)) {
        observer.send(number)
        observer.complete()
      }
      observer.disposables.add(answer)
    }
  }

  func count(_ path: String) -> Int { asked.withLock { $0[path, default: 0] } }
}

private final class Wallet: Sendable {
  private let node: Node
  private let version: Version
  private let bag = DisposableBag()
  private let total = MutableProperty(0, "total")
  private let badge = MutableProperty(0, "badge")
  private let fees = MutableProperty(0, "fees")

  init(_ node: Node, _ version: Version) {
    self.node = node
    self.version = version
    Signal.interval(.milliseconds(700), on: .main)
      .flatMapLatest { [node] _ in node.request("fees").replaceFailure(with: 0) }
      .bind(to: fees)
      .store(in: bag)
    fees.signal.distinctUntilChanged().subscribe().store(in: bag)
  }

  func refresh() {
    let history = node.request("history")
    let rates = node.request("rates").share()
    var balance = node.request("balance")  // blame
    if version == .fixed { balance = balance.share() }

    show(combineLatest(balance, rates) { $0 * $1 }, in: total)
    show(balance, in: badge)  // blame, too
    show(rates.map { $0 + 1 }, in: fees)
    show(history, in: fees)
  }

  private func show(_ values: Signal<Int, NodeFailure>, in property: MutableProperty<Int>) {
    values.deliver(on: .main)
      .subscribe(next: { property.value = $0 }, failed: { _ in property.value = 0 })
      .store(in: bag)
  }
}
