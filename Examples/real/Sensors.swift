internal import Glibc
import Reactive
import ReactiveTrace
import Synchronization

/// A weather station whose readings are written to a slow disk.
///
/// Rebuilt from ReactiveX/RxSwift#1376. A source was faster than the work on its values, and users
/// asked what happens to the values that are not handled yet.
extension Real {
  static let sensors = Report("sensors", "the record lags behind") { version in
    let station = Station()
    let disk = Disk(station, version)
    for _ in 1...4 {
      await pause(1000)
      Trace.mark("second")
    }
    let made = station.gusts.value
    let written = disk.newest.withLock { $0["wind", default: 0] }
    print("wind reading \(made) is made, \(made - written) readings after the one that is written")
    return (station, disk)
  }
}

/// Sends the readings of its sensors.
private final class Station: Sendable {
  let gusts = MutableProperty(0, "gusts")
  let wind: Signal<Int, Never>
  let rain: Signal<Int, Never>
  let heat: Signal<Int, Never>
  let light: Signal<Int, Never>
  private let queue = QueueScheduler(label: "sensors")

  init() {
    wind =
      Signal.interval(.milliseconds(2), on: queue).doNext { [gusts] in gusts.value = $0 }.share()
    rain = Signal.interval(.milliseconds(110), on: queue).share()
    heat = Signal.interval(.milliseconds(90), on: queue).share()
    light = Signal.interval(.milliseconds(250), on: queue).map { 100 - $0 }.share()
  }
}

/// Writes readings, one at a time for each sensor.
private final class Disk: Sendable {
  let newest = Mutex<[String: Int]>([:])
  /// The alarms that are shown at the door.
  private let alarms = MutableProperty(0, "alarms")
  private let dial = MutableProperty(0, "dial")
  private let board = MutableProperty("", "board")
  private let bag = DisposableBag()

  init(_ station: Station, _ version: Version) {
    record("rain", station.rain)
    record("heat", station.heat)
    record("light", station.light.distinctUntilChanged())
    if version == .fixed {
      record("wind", station.wind.sample(every: .milliseconds(50), on: .background))
    } else {
      record("wind", station.wind)  // blame
    }
    station.wind.throttle(.milliseconds(200), on: .main).bind(to: dial).store(in: bag)
    station.rain.filter { $0.isMultiple(of: 8) }.bind(to: alarms).store(in: bag)
    combineLatest(station.heat, station.light)
      .map { heat, light in "\(heat) degrees, \(light) lux" }
      .deliver(on: .ui)
      .bind(to: board)
      .store(in: bag)
  }

  /// Writes all readings of a sensor.
  private func record(_ sensor: String, _ readings: Signal<Int, Never>) {
    readings
      .deliver(on: QueueScheduler(label: "write \(sensor)"))  // blame, too
      .subscribe(with: self) { disk, reading in
        usleep(8000)
        disk.newest.withLock { $0[sensor] = reading }
      }
      .store(in: bag)
  }
}
