import Reactive
import ReactiveTrace

/// A garage's customer service: a store holds a customer and their cars; pages show parts of it.
///
/// Rebuilt from ReactiveX/rxjs#3054. A page joined the customer and the cars of the store; each
/// signal sent a value if it was subscribed to alone, but the joined signal sent none.
extension Real {
  static let garage = Report("garage", "a page that stays empty") { version in
    let store = Store()
    let workshop = Workshop()
    let pages = Pages(store, workshop, version)
    for (round, name) in ["Ada", "Ben", "Cleo", "Dora"].enumerated() {
      Trace.mark("customer \(round)")
      store.logIn(name)
      store.setCars(["van \(round)", "coupe \(round)"])
      await pause(100)
      pages.openOverview()
      pages.openInvoice(of: "van \(round)")
      await pause(250)
      store.setCars(["van \(round)"])
      pages.openBookings()
      await pause(200)
    }
    print(
      """
      garage: of 4 pages each, \(pages.overviews.value) overviews, \
      \(pages.invoices.value) invoices and \(pages.bookings.value) bookings were shown
      """
    )
    return [store, workshop, pages] as [Any]
  }
}

private struct Shop: Sendable {
  var customer = ""
  var cars: [String] = []
  var visits = 0
}

private final class Store: Sendable {
  private let state = MutableProperty(Shop(), "state")

  func select<Part: Equatable & Sendable>(
    _ part: any KeyPath<Shop, Part> & Sendable
  ) -> Signal<Part, Never> {
    state.signal.map { $0[keyPath: part] }.distinctUntilChanged()
  }

  func logIn(_ name: String) {
    state.modify {
      $0.customer = name
      $0.visits += 1
    }
  }

  func setCars(_ cars: [String]) { state.modify { $0.cars = cars } }
}

/// Answers requests after a while.
private final class Workshop: Sendable {
  private let queue = QueueScheduler(label: "workshop")

  func hours(for car: String) -> Signal<Int, Never> { answer(car.count, after: 50) }

  func parts(for car: String) -> Signal<[String], Never> {
    answer(["filter", "belt of \(car)"], after: 90)
  }

  func free(on day: Int) -> Signal<Bool, Never> { answer(day.isMultiple(of: 2), after: 30) }

  private func answer<Value: Sendable>(
    _ value: Value,
    after milliseconds: Int
  ) -> Signal<Value, Never> {
    Signal.timer(after: .milliseconds(milliseconds), on: queue).map { value }
  }
}

private final class Pages: Sendable {
  let overviews = Counter()
  let invoices = Counter()
  let bookings = Counter()
  private let store: Store
  private let workshop: Workshop
  private let version: Version
  private let heading = MutableProperty("", "heading")
  private let bag = DisposableBag()
  private let page = SerialDisposable()

  init(_ store: Store, _ workshop: Workshop, _ version: Version) {
    self.store = store
    self.workshop = workshop
    self.version = version
    combineLatest(store.select(\.customer), store.select(\.visits)) { "\($0), visit \($1)" }
      .debounce(.milliseconds(40), on: .main)
      .bind(to: heading)
      .store(in: bag)
    store.select(\.cars).map(\.count).subscribe().store(in: bag)
  }

  func openOverview() {
    let customer = store.select(\.customer)
    let cars = store.select(\.cars)
    let all =
      version == .fixed
      ? forkJoin(customer.take(1), cars.take(1))
      : forkJoin(customer, cars)  // blame
    page.inner = show(all, overviews)
  }

  func openInvoice(of car: String) {
    show(forkJoin(workshop.hours(for: car), workshop.parts(for: car)), invoices).store(in: bag)
  }

  /// Opens the page of the next days that are free.
  func openBookings() {
    let days = forkJoin((1...4).map { day in workshop.free(on: day) })
    show(store.select(\.customer).take(1).flatMap { _ in days }, bookings).store(in: bag)
  }

  /// Shows a page when its contents have arrived.
  private func show<Content: Sendable>(
    _ content: Signal<Content, Never>,
    _ shown: Counter
  ) -> any Disposable {
    content.deliver(on: .main).subscribe { _ in shown.add() }
  }
}
