import Reactive
import ReactiveTrace
import Synchronization

/// A cookbook: recipes are opened one after the other, and each shows the amounts for the number of
/// people, in the units that the cook prefers.
///
/// Rebuilt from ReactiveX/RxSwift#953. A method of the screen was passed to `map` by its name,
/// which leaves no place for `[weak self]`: after the screen was closed, it was never released.
extension Real {
  static let cookbook = Report("cookbook", "closed recipes stay in memory") { version in
    let kitchen = Kitchen()
    let shelf = Shelf()
    for number in 1...14 {
      let page = RecipePage("recipe \(number)", in: kitchen, on: shelf, version)
      page.people.send(number)
      await pause(90)
      page.people.send(number + 2)
      page.stars.send(number % 5 + 1)
      kitchen.isMetric.value = !number.isMultiple(of: 4)
      await pause(140)
      page.close()
      Trace.mark("recipe")
    }
    await pause(200)
    print("14 recipes opened and closed, \(shelf.alive) in memory")
    return [kitchen, shelf] as [Any]
  }
}

/// The state that all recipes share.
private final class Kitchen: Sendable {
  let isMetric = MutableProperty(true, "metric")
  let pantry = MutableProperty(["flour": 500, "eggs": 12], "pantry")
  private let queue = QueueScheduler(label: "kitchen")
  private let bag = DisposableBag()

  init() {
    Signal.interval(.milliseconds(250), on: queue)
      .subscribe { [pantry] in pantry.value["eggs"] = 12 - $0 % 12 }
      .store(in: bag)
  }
}

/// Counts the pages in memory.
private final class Shelf: Sendable {
  private let population = Mutex(0)

  var alive: Int { population.withLock { $0 } }

  func take() { population.withLock { $0 += 1 } }
  func putBack() { population.withLock { $0 -= 1 } }
}

private final class RecipePage: Sendable {
  let people: Subject<Int, Never>
  let stars: Subject<Int, Never>
  private let title: String
  private let shelf: Shelf
  private let kitchen: Kitchen
  private let texts = Mutex<[String: String]>([:])
  private let bag = DisposableBag()

  init(_ title: String, in kitchen: Kitchen, on shelf: Shelf, _ version: Version) {
    self.title = title
    self.shelf = shelf
    self.kitchen = kitchen
    people = Subject("people for \(title)")
    stars = Subject("stars of \(title)")
    shelf.take()

    show("rating", stars.signal.map(Self.rating))
    show("units", kitchen.isMetric.signal.map { $0 ? "grams" : "ounces" })
    let needs = people.signal.distinctUntilChanged()
    if version == .fixed {
      show("amounts", needs.map { [weak self] in self?.amounts(for: $0) ?? "" })
    } else {
      show("amounts", needs.map(amounts))  // blame
    }
    show("missing", combineLatest(needs, kitchen.pantry.signal) { Self.missing($0, $1) })
    show("time", needs.map { [title] in "\(title) takes \(20 + 2 * $0) minutes" })
    show("heading", .just(title))
  }

  deinit { shelf.putBack() }

  func close() { texts.withLock { $0 = [:] } }

  private static func rating(_ stars: Int) -> String { String(repeating: "*", count: stars) }

  private static func missing(_ people: Int, _ pantry: [String: Int]) -> String {
    let eggs = max(0, people - pantry["eggs", default: 0])
    return eggs == 0 ? "nothing" : "\(eggs) eggs"
  }

  private func amounts(for people: Int) -> String {
    let flour = 120 * people
    return kitchen.isMetric.value ? "\(flour) g" : "\(flour * 10 / 283) oz"
  }

  /// Writes each line to its place on the page.
  private func show(_ place: String, _ lines: Signal<String, Never>) {
    lines.deliver(on: .main).subscribe { [weak self] line in
      self?.texts.withLock { $0[place] = line }
    }
    .store(in: bag)
  }
}
