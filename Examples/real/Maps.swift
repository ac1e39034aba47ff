import Reactive
import ReactiveTrace

/// A map: at each place that the user moves to, a configuration is created, places nearby are
/// looked up, and the position can be shared for a while.
///
/// Rebuilt from bmoliveira/Moya-ObjectMapper#6. With the subscription in a bag, users got only an
/// empty response; without the bag, the map arrived.
extension Real {
  static let maps = Report("maps", "never gets an answer") { version in
    let provider = MapProvider()
    let screen = MapScreen(provider, version)
    for stop in 1...6 {
      screen.move(to: Place(x: stop * 7, y: 90 - stop))
      await pause(200)
      screen.zoom.value = stop
      await pause(80)
      if stop.isMultiple(of: 2) { await screen.share(for: 200) }
      Trace.mark("stop \(stop)")
    }
    print(
      "maps: \(provider.asked.value) requests, \(screen.configured.value) of 6 maps configured,",
      "\(screen.found.value) places found, \(screen.shared.value > 0 ? "shared" : "not shared")"
    )
    return [provider, screen] as [Any]
  }
}

private struct Place: Equatable, Sendable {
  var x: Int
  var y: Int
}

private struct MapConfig: Sendable { var style: String }

private enum MapTarget: Sendable {
  case createMap(Place)
  case nearby(Place)
  case position(Place)
}

private struct NoResponse: Error {}

private final class MapProvider: Sendable {
  let asked = Counter()
  private let queue = QueueScheduler(label: "map server")

  /// Makes a request, and parses its answer.
  func request<Answer: Sendable>(
    _ target: MapTarget,
    as parse: @escaping @Sendable (Int) -> Answer?
  ) -> Signal<Answer, NoResponse> {
    Signal<Int, NoResponse>.create { [asked, queue] observer in
      asked.add()
      let work = queue.schedule(after: .milliseconds(60)) {
        observer.send(Self.answer(target))
        observer.complete()
      }
      observer.onDispose { work.dispose() }
    }
    .tryMap { answer throws(NoResponse) in
      guard let value = parse(answer) else { throw NoResponse() }
      return value
    }
    .deliver(on: .main)
  }

  private static func answer(_ target: MapTarget) -> Int {
    switch target {
    case .createMap(let place): place.x + place.y
    case .nearby(let place): place.x % 5 + 1
    case .position: 1
    }
  }
}

private final class MapScreen: Sendable {
  let zoom = MutableProperty(3, "zoom")
  let configured = Counter()
  let found = Counter()
  let shared = Counter()
  private let provider: MapProvider
  private let version: Version
  private let place = MutableProperty(Place(x: 0, y: 0), "place")
  private let config = MutableProperty(MapConfig(style: ""), "config")
  private let bag = DisposableBag()

  init(_ provider: MapProvider, _ version: Version) {
    self.provider = provider
    self.version = version
    place.signal.skip(1)
      .flatMapLatest { place in
        provider.request(.nearby(place)) { $0 }.replaceFailure(with: 0)
      }
      .subscribe { [found] in found.add($0) }
      .store(in: bag)
    combineLatest(config.signal, zoom.signal) { "\($0.style) at \($1)" }
      .debounce(.milliseconds(50), on: .main)
      .subscribe { _ in }
      .store(in: bag)
  }

  func move(to place: Place) {
    self.place.value = place
    configure(place)
  }

  private func configure(_ place: Place) {
    let requests = version == .fixed ? bag : DisposableBag()  // blame
    provider.request(.createMap(place)) { MapConfig(style: "style \($0)") }
      .subscribe(
        next: { [config, configured] in
          config.value = $0
          configured.add()
        },
        failed: { _ in }
      )
      .store(in: requests)  // blame, too
  }

  /// Sends the position to the server at an interval, until the time is over.
  @MainActor
  func share(for milliseconds: Int) async {
    let requests = DisposableBag()
    Signal.interval(.milliseconds(70), on: .main)
      .withLatest(from: place.signal)
      .flatMapLatest { [provider] _, place in
        provider.request(.position(place)) { $0 }.replaceFailure(with: 0)
      }
      .subscribe { [shared] in shared.add($0) }
      .store(in: requests)
    await pause(milliseconds)
    requests.empty()
  }
}
