import Reactive

/// The dashboard of a 3D printer: panels show temperatures, the layer and the state, which come
/// over one socket; a panel that is opened must show the current state at once.
///
/// Rebuilt from UnchartedBull/OctoDash#2334. The printer's messages were kept for panels that are
/// opened later, without a limit: the program used more memory by the hour.
extension Real {
  static let printer = Report("printer", "memory grows") { version in
    let socket = Socket(version)
    let dashboard = Dashboard(socket)
    socket.open()
    for layer in 1...6 {
      await pause(400)
      socket.layers.send(layer)
      if layer.isMultiple(of: 2) { socket.states.send("printing \(layer)") }
      dashboard.openPanel()
      await pause(60)
      dashboard.closePanel()
    }
    socket.close()
    await pause(200)
    print("dashboard: \(socket.received.value) readings came, \(socket.kept) are in memory")
    return [socket, dashboard] as [Any]
  }
}

/// One reading of the sensors.
private final class Reading: Sendable {
  let nozzle: Int
  private let gone: Counter

  init(_ number: Int, gone: Counter) {
    nozzle = 200 + number % 7
    self.gone = gone
  }

  deinit { gone.add() }
}

private final class Socket: Sendable {
  let received = Counter()
  let readings: ReplaySubject<Reading, Never>
  let layers: ReplaySubject<Int, Never>
  let states: ReplaySubject<String, Never>
  /// The printer's setup, which is sent once.
  let profile: ReplaySubject<String, Never>
  private let gone = Counter()
  private let queue = QueueScheduler(label: "socket")
  private let line = SerialDisposable()

  var kept: Int { received.value - gone.value }

  init(_ version: Version) {
    readings =
      version == .fixed
      ? Self.topic("readings", keeping: 1)
      : Self.topic("readings")  // blame
    layers = Self.topic("layers", keeping: 1)
    states = Self.topic("states", keeping: 3)
    profile = Self.topic("profile")
  }

  func open() {
    for text in ["two nozzles", "heated bed", "220 x 220"] { profile.send(text) }
    states.send("ready")
    line.inner = Signal.interval(.milliseconds(5), on: queue)
      .subscribe { [readings, received, gone] number in
        received.add()
        readings.send(Reading(number, gone: gone))
      }
  }

  func close() { line.dispose() }

  private static func topic<Message>(
    _ name: String,
    keeping count: Int = .max
  ) -> ReplaySubject<Message, Never> {
    ReplaySubject(capacity: count, name)  // blame, too
  }
}

private final class Dashboard: Sendable {
  private let socket: Socket
  private let nozzle = MutableProperty(0, "nozzle")
  private let status = MutableProperty("", "status")
  private let drawn = Counter()
  private let bag = DisposableBag()
  private let panel = SerialDisposable()

  init(_ socket: Socket) {
    self.socket = socket
    socket.readings.signal.map(\.nozzle)
      .distinctUntilChanged()
      .bind(to: nozzle)
      .store(in: bag)
    combineLatest(socket.layers.signal, socket.states.signal) { "\($1), layer \($0)" }
      .bind(to: status)
      .store(in: bag)
    draw(socket.profile.signal).store(in: bag)
    draw(nozzle.signal.throttle(.milliseconds(100), on: .main, latest: true)).store(in: bag)
    draw(status.signal).store(in: bag)
  }

  func openPanel() {
    let parts = CompositeDisposable()
    parts.add(draw(socket.readings.signal.map(\.nozzle)))
    parts.add(draw(socket.layers.signal))
    parts.add(draw(socket.states.signal))
    panel.inner = parts
  }

  func closePanel() { panel.inner = nil }

  private func draw<Value>(_ values: Signal<Value, Never>) -> any Disposable {
    values.subscribe { [drawn] _ in drawn.add() }
  }
}
