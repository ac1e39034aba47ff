import Reactive
import Synchronization

/// A shop for plants: users fill a basket and buy it, call for help, and look up the stock.
///
/// Rebuilt from salesforce/akita#29. Each press of a button started the same request again, even if
/// one was running: three presses in a row gave three results instead of one.
extension Real {
  static let checkout = Report("checkout", "things are bought twice") { version in
    let backend = Backend()
    let shop = Shop(backend, version)
    for round in 1...5 {
      shop.search.send("plant \(round)")
      shop.add.send("fern")
      shop.add.send("cactus \(round)")
      await pause(150)
      if round.isMultiple(of: 2) { shop.help.send(()) }
      // Nothing seems to happen, so the user presses again.
      for _ in 1...3 {
        shop.buy.send(())
        await pause(60)
      }
      await pause(360)
    }
    print("checkout: 5 purchases were meant, \(backend.count("order")) orders were made")
    return [backend, shop] as [Any]
  }
}

private final class Backend: Sendable {
  private let queue = QueueScheduler(label: "backend")
  private let counts = Mutex<[String: Int]>([:])

  func count(_ kind: String) -> Int { counts.withLock { $0[kind, default: 0] } }

  func request(_ kind: String, _ milliseconds: Int) -> Signal<String, Never> {
    .create { [weak self] observer in
      guard let self else { return observer.complete() }
      counts.withLock { $0[kind, default: 0] += 1 }
      let number = count(kind)
      let answer = queue.schedule(after: .milliseconds(milliseconds)) {
        observer.send("\(kind) \(number)")
        observer.complete()
      }
      observer.disposables.add(answer)
    }
  }
}

private final class Shop: Sendable {
  let search = Subject<String, Never>("search")
  let add = Subject<String, Never>("add")
  let buy = Subject<Void, Never>("buy")
  let help = Subject<Void, Never>("help")
  private let basket = MutableProperty<[String]>([], "basket")
  private let status = MutableProperty("", "status")
  private let bag = DisposableBag()

  init(_ backend: Backend, _ version: Version) {
    let orders =
      version == .fixed
      ? buy.signal.flatMapFirst { _ in backend.request("order", 300) }
      : buy.signal.flatMap { _ in backend.request("order", 300) }  // blame
    tell(orders) { [basket] _ in basket.value = [] }
    tell(help.signal.flatMapFirst { _ in backend.request("help", 200) }) { _ in }
    tell(search.signal.flatMapLatest { _ in backend.request("stock", 80) }) { _ in }
    tell(add.signal.flatMap { plant in backend.request("reserve", 70).map { _ in plant } }) {
      [basket] plant in basket.modify { $0.append(plant) }
    }
    tell(basket.signal.map { "\($0.count) plants" }.distinctUntilChanged()) { _ in }
    Signal.interval(.milliseconds(500), on: .main)
      .flatMap { _ in backend.request("session", 40) }
      .subscribe()
      .store(in: bag)
  }

  /// Shows each answer, and calls `then` with it.
  private func tell(
    _ answers: Signal<String, Never>,
    _ then: @escaping @Sendable (String) -> Void
  ) {
    answers.deliver(on: .main)
      .subscribe { [status] answer in
        status.value = answer
        then(answer)
      }
      .store(in: bag)
  }
}
