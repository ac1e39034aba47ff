import Reactive
import ReactiveTrace
import Synchronization

/// A service that reacts to the events of other services: it observes their stores through a
/// kernel, which forwards each event. The service should connect again when an observation ends.
///
/// Rebuilt from Cratis/Chronicle#3484. An observation was restarted after an error, but not when
/// the kernel completed it: later events stayed unread until the service was restarted.
extension Real {
  static let reactions = Report("reactions", "events stay unread") { version in
    let kernel = Kernel()
    let service = Service(kernel, version)
    await pause(150)
    for round in 1...6 {
      for number in 1...3 {
        for store in ["inbox", "orders", "stock"] { kernel.append("\(round).\(number)", to: store) }
        await pause(60)
      }
      switch round {
      case 2: kernel.lose("orders")
      case 3: kernel.close("inbox")
      case 4: kernel.lose("inbox")
      case 5: kernel.lose("stock")
      default: break
      }
      await pause(300)
      Trace.mark("round \(round)")
    }
    let handled = service.handled
    print(
      "reactions: \(handled("inbox")) of 18 inbox events, \(handled("orders")) orders, "
        + "\(handled("stock")) stock"
    )
    return [kernel, service] as [Any]
  }
}

private struct Lost: Error {}

private typealias Observation = Subject<String, Lost>

/// Has a running observation for each store, and replaces one that ends.
private final class Kernel: Sendable {
  private let queue = QueueScheduler(label: "kernel")
  private let running: Mutex<[String: Observation]>

  init() {
    let stores = ["inbox", "orders", "stock"]
    running = Mutex(Dictionary(uniqueKeysWithValues: stores.map { ($0, Observation($0)) }))
  }

  /// Connects, and forwards events from then on.
  func observe(_ store: String) -> Signal<String, Lost> {
    Signal<Void, Never>.timer(after: .milliseconds(20), on: queue)
      .promoteFailure(to: Lost.self)
      .flatMapLatest { [weak self] in self?.observation(of: store)?.signal ?? .empty() }
  }

  /// The earlier events of a store.
  func history(of store: String) -> Signal<String, Lost> {
    Signal<Int, Never>.interval(.milliseconds(30), on: queue)
      .take(3)
      .map { "old \($0) of \(store)" }
      .promoteFailure(to: Lost.self)
  }

  func append(_ event: String, to store: String) { observation(of: store)?.send(event) }

  func lose(_ store: String) { replace(store)?.fail(Lost()) }

  func close(_ store: String) { replace(store)?.complete() }

  private func observation(of store: String) -> Observation? { running.withLock { $0[store] } }

  private func replace(_ store: String) -> Observation? {
    running.withLock { running in
      let old = running[store]
      running[store] = Observation(store)
      return old
    }
  }
}

private final class Service: Sendable {
  private let counts = Mutex<[String: Int]>([:])
  private let last = MutableProperty("", "last")
  private let health = MutableProperty("", "health")
  private let title = MutableProperty("", "title")
  private let lost = MutableProperty("", "lost")
  private let bag = DisposableBag()

  init(_ kernel: Kernel, _ version: Version) {
    let inbox = kernel.observe("inbox")
    react(
      "inbox",
      version == .fixed
        ? inbox.retry(delay: .milliseconds(50), on: .background).repeat()
        : inbox.retry(delay: .milliseconds(50), on: .background)  // blame
    )
    for store in ["orders", "stock"] {
      react(store, kernel.observe(store).retry(delay: .milliseconds(50), on: .background))
      react("history", kernel.history(of: store).retry(delay: .milliseconds(50), on: .background))
    }
    last.signal.debounce(.milliseconds(150), on: .main)
      .map { "quiet since \($0)" }
      .bind(to: health)
      .store(in: bag)
    Signal.interval(.milliseconds(400), on: .main)
      .withLatest(from: last.signal)
      .map { "\($1) after \($0)" }
      .bind(to: title)
      .store(in: bag)
  }

  func handled(_ store: String) -> Int { counts.withLock { $0[store, default: 0] } }

  private func react(_ store: String, _ events: Signal<String, Lost>) {
    events
      .deliver(on: .main)
      .subscribe(
        next: { [weak self] event in
          self?.counts.withLock { $0[store, default: 0] += 1 }
          self?.last.value = event
        },
        failed: { [lost] _ in lost.value = store }
      )
      .store(in: bag)
  }
}
