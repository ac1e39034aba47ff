import Reactive

/// A weather app: a map is computed from the measurements of stations; beside it are the
/// temperature, the wind and an animation of the clouds.
///
/// Rebuilt from ReactiveX/RxSwift#780. A view was bound on the main thread, and its contents were
/// computed after the switch to that thread: users asked how to do the work in the background.
extension Real {
  static let forecast = Report("forecast", "the animation stutters") { version in
    let stations = Stations()
    let app = Forecast(stations, version)
    await pause(3000)
    let (frames, maps) = (app.frames.value, app.maps.value)
    print(
      "forecast: \(frames > 75 ? "smooth" : "stuttering"), \(frames) of about 100 frames, \(maps) maps"
    )
    return [stations, app] as [Any]
  }
}

/// Weather stations that send measurements.
private final class Stations: Sendable {
  let measurements = Subject<[Int], Never>("measurements")
  let wind = BehaviorSubject<Int, Never>(4, "wind")
  private let queue = QueueScheduler(label: "stations")
  private let bag = DisposableBag()

  init() {
    Signal.interval(.milliseconds(200), on: queue)
      .map { round in (0..<64).map { ($0 * 7 + round * 3) % 31 } }
      .subscribe(measurements)
      .store(in: bag)
    Signal.interval(.milliseconds(130), on: queue)
      .map { 3 + $0 % 5 }
      .subscribe(wind)
      .store(in: bag)
  }
}

private final class Forecast: Sendable {
  let frames = Counter()
  let maps = Counter()
  private let label = MutableProperty("", "label")
  private let bag = DisposableBag()

  init(_ stations: Stations, _ version: Version) {
    let measurements = stations.measurements.signal
    if version == .fixed {
      let drawn = measurements.deliver(on: QueueScheduler(label: "maps")).map(Self.map)
      show(drawn, as: { $0 }) { [maps] _ in maps.add() }
    } else {
      show(measurements, as: Self.map) { [maps] _ in maps.add() }  // blame
    }
    show(measurements, as: { "\($0.reduce(0, +) / $0.count) degrees" }) { [label] in
      label.value = $0
    }
    show(stations.wind.signal, as: { "wind \($0)" }) { [label] in label.value = $0 }
    show(label.signal.distinctUntilChanged(), as: \.count) { _ in }
    Signal.interval(.milliseconds(30), on: .main)
      .subscribe { [frames] _ in frames.add() }
      .store(in: bag)
  }

  /// Computes the pixels of the map, which takes 120 ms.
  private static func map(_ measurements: [Int]) -> [Int] {
    var pixels = measurements
    let end = ContinuousClock.now + .milliseconds(120)
    while ContinuousClock.now < end {
      for index in pixels.indices {
        pixels[index] = (pixels[index] + pixels[(index + 1) % pixels.count] + 1) / 2
      }
    }
    return pixels
  }

  /// Binds values to a view on the main queue.
  private func show<Value, Shown: Sendable>(
    _ values: Signal<Value, Never>,
    as shown: @escaping @Sendable (Value) -> Shown,
    _ draw: @escaping @Sendable (Shown) -> Void
  ) {
    values.deliver(on: .main)
      .map(shown)  // blame, too
      .subscribe(next: draw)
      .store(in: bag)
  }
}
