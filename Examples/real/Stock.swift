import Reactive
import ReactiveTrace
import Synchronization

/// A shop's back office with a store: actions come in, effects turn them into requests, and the
/// results come in as actions again.
///
/// Rebuilt from ngrx/platform#646. A failed request was answered with an action that says so, but
/// the effect had ended: later actions made no requests until the page was reloaded.
extension Real {
  static let stock = Report("stock", "works until something fails") { version in
    let store = Store()
    let effects = Effects(store, Backend(), version)
    let office = Office(store)
    for round in 1...9 {
      store.dispatch(.loadStock(day: round))
      store.dispatch(.loadOrders(day: round))
      if round.isMultiple(of: 2) { store.dispatch(.saveNote("note \(round)")) }
      await pause(400)
      Trace.mark("day \(round)")
    }
    print("stock loaded \(office.loaded("stock")) times, orders \(office.loaded("orders")) times")
    return [store, effects, office] as [Any]
  }
}

private enum Deed: Sendable {
  case loadStock(day: Int)
  case loadOrders(day: Int)
  case saveNote(String)
  case loaded(String)
  case refused(String)
}

private struct Refusal: Error {}

private final class Store: Sendable {
  let deeds = Subject<Deed, Never>("deeds")

  func dispatch(_ deed: Deed) { deeds.send(deed) }

  /// The values that `pick` takes from actions; other actions are dropped.
  func only<Value: Sendable>(
    _ pick: @escaping @Sendable (Deed) -> Value?
  ) -> Signal<Value, Never> {
    deeds.signal.compactMap(pick)
  }
}

/// A backend that refuses some requests.
private final class Backend: Sendable {
  private let queue = QueueScheduler(label: "backend")

  func stock(on day: Int) -> Signal<String, Refusal> {
    day == 3 ? answer(nil) : answer("stock")
  }

  func orders(on day: Int) -> Signal<String, Refusal> {
    day == 5 ? answer(nil) : answer("orders")
  }

  func save(_ note: String) -> Signal<String, Refusal> { answer("note") }

  private func answer(_ text: String?) -> Signal<String, Refusal> {
    Signal.timer(after: .milliseconds(80), on: queue).tryMap { _ throws(Refusal) in
      guard let text else { throw Refusal() }
      return text
    }
  }
}

private final class Effects: Sendable {
  private let bag = DisposableBag()

  init(_ store: Store, _ backend: Backend, _ version: Version) {
    let days = store.only { if case .loadStock(let day) = $0 { day } else { nil } }
    if version == .fixed {
      run(in: store, days.flatMapLatest { backend.stock(on: $0).asDeeds("stock") })
    } else {
      run(in: store, days.flatMapLatest { backend.stock(on: $0) }.asDeeds("stock"))  // blame
    }
    let orderDays = store.only { if case .loadOrders(let day) = $0 { day } else { nil } }
    run(in: store, orderDays.flatMapLatest { backend.orders(on: $0).asDeeds("orders") })
    let notes = store.only { if case .saveNote(let note) = $0 { note } else { nil } }
    run(in: store, notes.concatMap { backend.save($0).asDeeds("note") })
  }

  private func run(in store: Store, _ deeds: Signal<Deed, Never>) {
    deeds.deliver(on: .main).subscribe { [weak store] in store?.dispatch($0) }.store(in: bag)
  }
}

extension Signal where Value == String, Failure == Refusal {
  /// The result of a request or its failure, as an action.
  fileprivate func asDeeds(_ topic: String) -> Signal<Deed, Never> {
    map { Deed.loaded($0) }.catch { _ in Signal<Deed, Never>.just(.refused(topic)) }  // blame, too
  }
}

/// Counts what is shown.
private final class Office: Sendable {
  private let counts = Mutex<[String: Int]>([:])
  private let bag = DisposableBag()

  init(_ store: Store) {
    show("loaded", store.only { if case .loaded(let topic) = $0 { topic } else { nil } })
    show("refused", store.only { if case .refused(let topic) = $0 { "no \(topic)" } else { nil } })
    show("clock", Signal.interval(.milliseconds(500), on: .main).map { "tick \($0 % 2)" })
    show("busy", store.deeds.signal.debounce(.milliseconds(200), on: .main).map { _ in "idle" })
  }

  func loaded(_ topic: String) -> Int { counts.withLock { $0[topic, default: 0] } }

  private func show(_ place: String, _ texts: Signal<String, Never>) {
    texts.subscribe { [weak self] text in self?.counts.withLock { $0[text, default: 0] += 1 } }
      .store(in: bag)
  }
}
