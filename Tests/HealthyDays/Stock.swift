import Reactive
import Synchronization

/// The wares that have been looked up, up to a limit; the one that was requested longest ago is
/// removed.
final class Stock: Sendable {
  private final class Ware: Sendable {
    let text: MutableProperty<String>
    let bag = DisposableBag()

    init(_ number: Int) { text = MutableProperty("ware \(number)", "ware") }
  }

  private struct State {
    var wares: [Int: Ware] = [:]
    var order: [Int] = []
  }

  private static let limit = 120
  private let world: World
  private let queues: Queues
  private let changes = Subject<Int, Never>("changes")
  private let state = Mutex(State())

  init(_ world: World, _ queues: Queues) {
    self.world = world
    self.queues = queues
  }

  var count: Int { state.withLock { $0.wares.count } }

  /// The text of a ware, which is looked up unless it is known.
  func ware(_ number: Int) -> Signal<String, Never> {
    if let known = find(number) { return Signal.just(known.text.value) }
    return Signal.timer(after: world.time(around: .milliseconds(30)), on: queues.database)
      .map { [weak self] in self?.keep(number) ?? "" }
  }

  /// The texts of all known wares, two at a time.
  func inventory() -> Signal<String, Never> {
    let texts = state.withLock { $0.wares.values.map(\.text.value) }
    return Signal.from(texts)
      .flatMap(limit: 2) { [queues] text in
        Signal<String, Never>.just(text).delay(.milliseconds(15), on: queues.database)
      }
  }

  private func find(_ number: Int) -> Ware? {
    state.withLock { state in
      guard let ware = state.wares[number] else { return nil }
      state.order.removeAll { $0 == number }
      state.order.append(number)
      return ware
    }
  }

  private func keep(_ number: Int) -> String {
    let ware = Ware(number)
    changes.signal.filter { $0 == number }
      .subscribe { [weak ware] _ in ware?.text.value = "ware \(number), changed" }
      .store(in: ware.bag)
    let old = state.withLock { state in
      let same = state.wares.updateValue(ware, forKey: number)
      state.order.removeAll { $0 == number }
      state.order.append(number)
      guard state.order.count > Self.limit else { return same }
      return state.wares.removeValue(forKey: state.order.removeFirst())
    }
    withExtendedLifetime(old) {}
    if world.happens(oneIn: 4) { changes.send(world.number(below: 400)) }
    return ware.text.value
  }
}
