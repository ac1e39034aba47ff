import Reactive
import Synchronization

/// The products that have been looked up; beyond a limit, the least recently requested one is
/// removed.
final class Stock: Sendable {
  private final class Product: Sendable {
    let text: MutableProperty<String>
    let bag = DisposableBag()

    init(_ number: Int) { text = MutableProperty("ware \(number)", "ware") }
  }

  private struct State {
    var products: [Int: Product] = [:]
    var order: [Int] = []
  }

  private static let limit = 120
  private let simulation: Simulation
  private let queues: Queues
  private let changes = Subject<Int, Never>("changes")
  private let state = Mutex(State())

  init(_ simulation: Simulation, _ queues: Queues) {
    self.simulation = simulation
    self.queues = queues
  }

  var count: Int { state.withLock { $0.products.count } }

  /// The text of a product, which is looked up unless it is known.
  func product(_ number: Int) -> Signal<String, Never> {
    if let known = find(number) { return Signal.just(known.text.value) }
    return Signal.timer(after: simulation.time(around: .milliseconds(30)), on: queues.database)
      .map { [weak self] in self?.keep(number) ?? "" }
  }

  /// The texts of all known products, two at a time.
  func inventory() -> Signal<String, Never> {
    let texts = state.withLock { $0.products.values.map(\.text.value) }
    return Signal.from(texts)
      .flatMap(limit: 2) { [queues] text in
        Signal<String, Never>.just(text).delay(.milliseconds(15), on: queues.database)
      }
  }

  private func find(_ number: Int) -> Product? {
    state.withLock { state in
      guard let product = state.products[number] else { return nil }
      state.order.removeAll { $0 == number }
      state.order.append(number)
      return product
    }
  }

  private func keep(_ number: Int) -> String {
    let product = Product(number)
    changes.signal.filter { $0 == number }
      .subscribe { [weak product] _ in product?.text.value = "ware \(number), changed" }
      .store(in: product.bag)
    let old = state.withLock { state in
      let same = state.products.updateValue(product, forKey: number)
      state.order.removeAll { $0 == number }
      state.order.append(number)
      guard state.order.count > Self.limit else { return same }
      return state.products.removeValue(forKey: state.order.removeFirst())
    }
    withExtendedLifetime(old) {}
    if simulation.happens(oneIn: 4) { changes.send(simulation.number(below: 400)) }
    return product.text.value
  }
}
