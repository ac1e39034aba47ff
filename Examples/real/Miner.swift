import Reactive

/// The pages of a coin-mining machine, whose state is polled while a page is open.
///
/// Rebuilt from bitaxeorg/ESP-Miner#1237. Each return to a page started one more poll, and none of
/// them ended: with each visit the machine was polled more often.
extension Real {
  static let miner = Report("miner", "polled ever more often") { version in
    let machine = Machine()
    let app = MinerApp(machine, version)
    for _ in 0..<5 {
      app.show(.home)
      await pause(260)
      app.show(.system)
      await pause(200)
      app.show(.log)
      await pause(200)
    }
    app.show(.none)
    await pause(300)
    print("miner: \(machine.running.value) polls are running with no page open")
    return [machine, app] as [Any]
  }
}

private enum Page: Sendable {
  case none
  case home
  case system
  case log
}

private struct Info: Equatable, Sendable {
  var hashRate = 0
  var heat = 0
  var name = "miner"
}

private final class Machine: Sendable {
  /// The number of running polls.
  let running = Counter()
  private let queue = QueueScheduler(label: "machine")

  func info(_ number: Int) -> Signal<Info, Never> {
    Signal.timer(after: .milliseconds(15), on: queue)
      .map { Info(hashRate: 500 + number % 7, heat: 50 + number % 3) }
  }

  func lines(_ number: Int) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(10), on: queue).map { "line \(number)" }
  }

  /// Asks at once, and then at an interval.
  func poll<Value: Sendable>(
    every interval: Duration,
    _ ask: @escaping @Sendable (Int) -> Signal<Value, Never>
  ) -> Signal<Value, Never> {
    Signal.interval(interval, on: .background)
      .startWith(0)
      .flatMapFirst(ask)
      .doStarted { [running] in running.add() }
      .doDisposed { [running] in running.add(-1) }
  }
}

@MainActor
private final class MinerApp {
  private let machine: Machine
  private let version: Version
  private let theme = MutableProperty("dark", "theme")
  private let title = MutableProperty("", "title")
  private let name: Signal<String, Never>
  private var page: Any?
  private let bag = DisposableBag()

  init(_ machine: Machine, _ version: Version) {
    self.machine = machine
    self.version = version
    // The machine's name does not change.
    name = machine.info(0).map(\.name).replayLazily(1)
    combineLatest(name, theme.signal) { "\($0), \($1)" }.bind(to: title).store(in: bag)
  }

  func show(_ next: Page) {
    page = nil
    switch next {
    case .none: break
    case .home: page = HomePage(machine, name, version)
    case .system: page = SystemPage(machine, name)
    case .log: page = LogPage(machine)
    }
    theme.value = next == .log ? "light" : "dark"
  }
}

/// A page with three parts that show one poll.
@MainActor
private final class HomePage {
  private let rate = MutableProperty(0, "rate")
  private let heat = MutableProperty(0, "heat")
  private let label = MutableProperty("", "label")
  private let bag = DisposableBag()

  init(_ machine: Machine, _ name: Signal<String, Never>, _ version: Version) {
    let polled = machine.poll(every: .milliseconds(70)) { machine.info($0) }
    let info =
      version == .fixed
      ? polled.share(replay: 1)
      : polled.replayLazily(1)  // blame
    info.map(\.hashRate).deliver(on: .main).bind(to: rate).store(in: bag)
    info.map(\.heat).distinctUntilChanged().deliver(on: .main).bind(to: heat).store(in: bag)
    combineLatest(name, info) { "\($0): \($1.hashRate)" }
      .deliver(on: .main)
      .bind(to: label)
      .store(in: bag)
  }
}

@MainActor
private final class SystemPage {
  private let heat = MutableProperty(0, "heat")
  private let label = MutableProperty("", "label")
  private let bag = DisposableBag()

  init(_ machine: Machine, _ name: Signal<String, Never>) {
    let info = machine.poll(every: .milliseconds(60)) { machine.info($0) }.share(replay: 1)
    info.map(\.heat).deliver(on: .main).bind(to: heat).store(in: bag)
    combineLatest(name, info) { "\($0): \($1.heat) degrees" }
      .deliver(on: .main)
      .bind(to: label)
      .store(in: bag)
  }
}

@MainActor
private final class LogPage {
  private let last = MutableProperty("", "last line")
  private let bag = DisposableBag()

  init(_ machine: Machine) {
    machine.poll(every: .milliseconds(50)) { machine.lines($0) }
      .deliver(on: .main)
      .bind(to: last)
      .store(in: bag)
  }
}
