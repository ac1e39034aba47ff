import Reactive
import Synchronization

/// The display of a rowing machine: readings come often, names and battery changes rarely.
///
/// Rebuilt from Kotlin/kotlinx.coroutines#3845. A debounce was meant to reduce the readings, but
/// forwarded none until the machine rested: a rower who went on saw a display that did not change.
extension Real {
  static let rower = Report("rower", "the display stands still") { version in
    let machine = Machine()
    let display = Display(machine, version)
    for stroke in 1...90 {
      machine.row(stroke)
      if stroke.isMultiple(of: 30) { machine.battery.value -= 1 }
      if stroke.isMultiple(of: 12) { machine.name.send("row \(stroke)") }
      await pause(45)
    }
    machine.rest()
    print("display: \(display.count("speed")) speeds shown of 90 that were measured")
    return [machine, display]
  }
}

private final class Machine: Sendable {
  let speed = Subject<Int, Never>("speed")
  let battery = MutableProperty(80, "battery")
  let name = Subject<String, Never>("name")
  let distance = BehaviorSubject<Int, Never>(0, "distance")

  func row(_ stroke: Int) {
    speed.send(200 + stroke)
    if stroke.isMultiple(of: 6) { distance.send(distance.value + 10) }
  }

  /// Completes `distance` and `name` when the rower gets out.
  func rest() {
    distance.complete()
    name.complete()
  }
}

extension Signal {
  /// Forwards a value when none has followed for a moment.
  fileprivate func settled() -> Signal { debounce(.milliseconds(200), on: .main) }

  /// Forwards at most five values a second.
  fileprivate func atMostFive() -> Signal {
    throttle(.milliseconds(200), on: .main, latest: true)
  }
}

private final class Display: Sendable {
  private let bag = DisposableBag()
  private let drawn = Mutex<[String: Int]>([:])

  init(_ machine: Machine, _ version: Version) {
    show("name", machine.name.signal.settled())
    show("battery", machine.battery.signal.settled())
    show("menu", merge(machine.name.signal.map { _ in 0 }, machine.battery.signal).settled())

    let speeds = machine.speed.signal.distinctUntilChanged()
    if version == .fixed {
      show("speed", speeds.atMostFive())
    } else {
      show("speed", speeds.settled())  // blame
    }
    show("effort", speeds.collect(every: .seconds(1), on: .main).map { $0.count })
    show("distance", machine.distance.signal.atMostFive())
    show("time", Signal.interval(.milliseconds(500), on: .main))
  }

  func count(_ part: String) -> Int { drawn.withLock { $0[part, default: 0] } }

  private func show<Value>(_ part: String, _ values: Signal<Value, Never>) {
    values.subscribe(with: self) { display, _ in
      display.drawn.withLock { $0[part, default: 0] += 1 }
    }
    .store(in: bag)
  }
}
