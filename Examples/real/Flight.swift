import Reactive
import Synchronization

/// The display of a small aircraft: sensors send at different rates, and the map needs two of them.
///
/// Rebuilt from ReactiveX/RxJava#2924. Two sources were zipped, one of which sent far more often
/// than the other: more and more of its values waited for partners until an exception was thrown.
extension Real {
  static let flight = Report("flight", "late, and memory grows") { version in
    let sensors = Sensors()
    let display = Display(sensors, version)
    await pause(4500)
    print("position \(sensors.ticks) is known, position \(display.position) is on the map")
    return [sensors, display] as [Any]
  }
}

/// Sensors that send at different intervals.
private final class Sensors: Sendable {
  let position = Subject<Int, Never>("position")
  let height = Subject<Int, Never>("height")
  let speed = Subject<Int, Never>("speed")
  let fuel = Subject<Int, Never>("fuel")
  private let queue = QueueScheduler(label: "sensors")
  private let last = Mutex(0)
  private let bag = DisposableBag()

  init() {
    run(position, every: 10)
    run(height, every: 100)
    run(speed, every: 200)
    run(fuel, every: 200)
  }

  var ticks: Int { last.withLock { $0 } }

  private func run(_ sensor: Subject<Int, Never>, every milliseconds: Int) {
    let isPosition = sensor === position
    Signal.interval(.milliseconds(milliseconds), on: queue)
      .subscribe { [weak self] number in
        if isPosition { self?.last.withLock { $0 = number } }
        sensor.send(number)
      }
      .store(in: bag)
  }
}

private struct Fix: Sendable {
  let position: Int
  let height: Int
}

private final class Display: Sendable {
  private let lines = Mutex<[String: String]>([:])
  private let shown = Mutex(0)
  private let bag = DisposableBag()

  var position: Int { shown.withLock { $0 } }

  init(_ sensors: Sensors, _ version: Version) {
    let fixes: Signal<Fix, Never>
    if version == .fixed {
      fixes = sensors.height.signal.withLatest(from: sensors.position.signal)
        .map { Fix(position: $1, height: $0) }
    } else {
      fixes = zip(sensors.position.signal, sensors.height.signal)  // blame
        .map { Fix(position: $0, height: $1) }
    }
    show("map", fixes) { [weak self] fix in
      self?.shown.withLock { $0 = fix.position }
      return "at \(fix.position), \(fix.height) above"
    }

    // These two values come in pairs, from one device.
    show("range", zip(sensors.speed.signal, sensors.fuel.signal)) { "\($0 * $1) left" }
    show("climb", sensors.height.signal.combinePrevious(0)) { "\($1 - $0) up" }
    show("wind", sensors.speed.signal.withLatest(from: sensors.height.signal)) { "\($0) at \($1)" }
    show("course", sensors.position.signal.throttle(.milliseconds(250), on: .main)) {
      "\($0 % 360)°"
    }
    show("clock", Signal.interval(.milliseconds(500), on: .main)) { "\($0)" }
  }

  private func show<Value: Sendable>(
    _ part: String,
    _ values: Signal<Value, Never>,
    _ text: @escaping @Sendable (Value) -> String
  ) {
    values.map(text).subscribe { [weak self] text in self?.lines.withLock { $0[part] = text } }
      .store(in: bag)
  }
}
