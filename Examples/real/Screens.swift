import Reactive
import ReactiveTrace

/// An app with a list and a details page, which the user opens and leaves. While the list is on the
/// screen, it polls a position, the battery and a price.
///
/// Rebuilt from ReactiveX/RxSwift#442. Users asked why everything was still polled for a list that
/// had left the screen; they had subscribed in a method called at each appearance.
extension Real {
  static let screens = Report("screens", "timers for nobody") { version in
    let app = App(version)
    for round in 0..<7 {
      app.list.appear()
      await pause(300)
      app.list.disappear()
      app.openDetails(of: "stock \(round)")
      await pause(250)
      app.closeDetails()
      Trace.mark("back")
    }
    let before = app.lookups.value
    await pause(600)
    print("looked up \(app.lookups.value - before) times while nothing was on the screen")
    return app
  }
}

@MainActor
private final class App {
  let lookups = Counter()
  let list: ListScreen
  private let clock = MutableProperty(0, "clock")
  private var details: DetailScreen?
  private let bag = DisposableBag()

  init(_ version: Version) {
    list = ListScreen(lookups, version)
    Signal.interval(.milliseconds(200), on: .main).bind(to: clock)
    clock.signal.map { "\($0 / 60):\($0 % 60)" }.subscribe { _ in }.store(in: bag)
  }

  func openDetails(of stock: String) { details = DetailScreen(stock, lookups) }

  func closeDetails() { details = nil }
}

/// Looks something up at once, and then at an interval.
private func poll(
  _ path: String,
  every interval: Duration,
  _ lookups: Counter
) -> Signal<String, Never> {
  Signal.interval(interval, on: .background)
    .startWith(0)
    .map { round in
      lookups.add()
      return "\(path) \(round)"
    }
}

@MainActor
private final class ListScreen {
  private let lookups: Counter
  private let version: Version
  private let price = MutableProperty("", "price")
  private let position = MutableProperty("", "position")
  /// Subscriptions that last as long as the list exists, or as long as it is on the screen.
  private let whole = DisposableBag()
  private let visible = DisposableBag()

  init(_ lookups: Counter, _ version: Version) {
    self.lookups = lookups
    self.version = version
    combineLatest(price.signal, position.signal).subscribe { _ in }.store(in: whole)
  }

  func appear() {
    poll("position", every: .milliseconds(90), lookups)
      .subscribe { [position] in position.value = $0 }
      .store(in: visible)
    poll("battery", every: .milliseconds(110), lookups)
      .subscribe { _ in }
      .store(in: visible)
    poll("price", every: .milliseconds(100), lookups)
      .subscribe { [price] in price.value = $0 }  // blame
      .store(in: version == .fixed ? visible : whole)
  }

  func disappear() { visible.empty() }
}

@MainActor
private final class DetailScreen {
  private let bag = DisposableBag()

  init(_ stock: String, _ lookups: Counter) {
    poll(stock, every: .milliseconds(80), lookups).subscribe { _ in }.store(in: bag)
    poll("history of \(stock)", every: .milliseconds(120), lookups)
      .subscribe { _ in }
      .store(in: bag)
  }
}
