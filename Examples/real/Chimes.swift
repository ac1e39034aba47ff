import Reactive
import ReactiveTrace

/// An app for a house with a bell, lamps and heating. The house exists as long as the app does; its
/// screens are opened and left again.
///
/// Rebuilt from felangel/bloc#3198. A screen listens to an object that outlives it. When the user
/// came back to the screen, its listener was called twice for each event, and later three times.
extension Real {
  static let chimes = Report("chimes", "one event, many times") { version in
    let house = House()
    let app = App(house, version)
    for round in 1...7 {
      app.openDoor()
      await pause(120)
      house.ring()
      await pause(120)
      app.openLamps()
      house.press(lamp: round % 3)
      await pause(100)
      app.openHeating()
      house.press(lamp: (round + 1) % 3)
      await pause(100)
      Trace.mark("round \(round)")
    }
    app.openDoor()
    await pause(100)
    print("chimes: the bell rang 7 times, there were \(app.loudspeaker.chimes.value) chimes")
    return [house, app] as [Any]
  }
}

/// Knows the state of the house.
private final class House: Sendable {
  let bell = Subject<Int, Never>("bell")
  let lamps = MutableProperty([false, false, false], "lamps")
  let degrees = MutableProperty(20, "degrees")
  private let rings = Counter()
  private let bag = DisposableBag()

  init() {
    Signal.interval(.milliseconds(150), on: .main)
      .map { 18 + $0 % 5 }
      .bind(to: degrees)
      .store(in: bag)
  }

  func ring() {
    rings.add()
    bell.send(rings.value)
  }

  func press(lamp: Int) { lamps.modify { $0[lamp].toggle() } }
}

private final class Loudspeaker: Sendable {
  let chimes = Counter()
  let clicks = Counter()

  func chime() { chimes.add() }

  func click() { clicks.add() }
}

@MainActor
private final class App {
  let loudspeaker = Loudspeaker()
  private let house: House
  private let version: Version
  private let rings = MutableProperty(0, "rings")
  private var screen: Screen?

  init(_ house: House, _ version: Version) {
    self.house = house
    self.version = version
    // The badge exists as long as the app.
    house.bell.signal.bind(to: rings)
    house.lamps.signal.map { $0.contains(true) }.distinctUntilChanged().subscribe { _ in }
  }

  func openDoor() { screen = DoorScreen(house, loudspeaker, version) }

  func openLamps() { screen = LampScreen(house, loudspeaker) }

  func openHeating() { screen = HeatingScreen(house, loudspeaker) }
}

/// What all screens have in common.
@MainActor
private class Screen {
  let bag = DisposableBag()

  /// Calls `body` with each value from now on.
  func listen<Value>(
    to values: Signal<Value, Never>,
    _ body: @escaping @Sendable (Value) -> Void
  ) -> any Disposable {
    values.subscribe(next: body)
  }
}

private final class DoorScreen: Screen {
  private let visitor = MutableProperty("", "visitor")
  private let warmth = MutableProperty(0, "warmth")

  init(_ house: House, _ loudspeaker: Loudspeaker, _ version: Version) {
    super.init()
    house.bell.signal.map { "visitor \($0)" }.bind(to: visitor).store(in: bag)
    let listening = listen(to: house.bell.signal) { _ in loudspeaker.chime() }  // blame
    if version == .fixed { listening.store(in: bag) }
    listen(to: house.degrees.signal) { [warmth] in warmth.value = $0 }.store(in: bag)
  }
}

private final class LampScreen: Screen {
  private let lit = MutableProperty(0, "lit")

  init(_ house: House, _ loudspeaker: Loudspeaker) {
    super.init()
    listen(to: house.lamps.signal.skip(1)) { _ in loudspeaker.click() }.store(in: bag)
    listen(to: house.lamps.signal) { [lit] in lit.value = $0.count { $0 } }.store(in: bag)
  }
}

private final class HeatingScreen: Screen {
  private let curve = MutableProperty<[Int]>([], "curve")
  private let line = MutableProperty("", "line")

  init(_ house: House, _ loudspeaker: Loudspeaker) {
    super.init()
    listen(to: house.degrees.signal) { [curve] degree in
      curve.modify { $0 = $0.suffix(9) + [degree] }
    }
    .store(in: bag)
    combineLatest(house.degrees.signal, house.lamps.signal) { "\($0), \($1.count) lamps" }
      .bind(to: line)
      .store(in: bag)
    listen(to: house.lamps.signal.skip(1)) { _ in loudspeaker.click() }.store(in: bag)
  }
}
