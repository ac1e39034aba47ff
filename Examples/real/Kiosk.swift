import Reactive
import ReactiveTrace

/// A ticket kiosk built on a workflow: workers send actions, actions change the state, and each
/// state is drawn. It has a scanner, keys, a tariff on disk, a seat server and a clock.
///
/// Rebuilt from square/workflow-swift#293. Actions must arrive on the main queue; those made from
/// streams arrived on whatever queue the stream sent on.
extension Real {
  static let kiosk = Report("kiosk", "drawn on the wrong queue") { version in
    let workflow = Workflow()
    let scanner = Scanner()
    let keys = Subject<Character, Never>("keys")
    let workers = Workers(workflow, scanner, keys, version)
    await pause(100)
    for guest in 1...6 {
      Trace.mark("guest \(guest)")
      for key in "4\(guest)" {
        keys.send(key)
        await pause(60)
      }
      scanner.read("ticket \(guest)a")
      await pause(90)
      scanner.read("ticket \(guest)b")
      await pause(90)
      workers.askForSeats(at: guest)
      await pause(150)
    }
    print("kiosk: 12 scans, \(workflow.astray.value) states were drawn off the main queue")
    return [workflow, scanner, workers] as [Any]
  }
}

private enum KioskAction: Sendable {
  case scanned(String)
  case typed(Character)
  case tariff(Int)
  case free(Int)
  case time(Int)
}

private struct KioskState: Equatable, Sendable {
  var scans: [String] = []
  var typed = ""
  var price = 0
  var free = 0
  var time = 0
}

private final class Workflow: Sendable {
  let astray = Counter()
  private let drawn = Counter()
  private let state = MutableProperty(KioskState(), "state")
  private let banner = MutableProperty("", "banner")
  private let bag = DisposableBag()

  init() {
    state.signal
      .subscribe { [drawn, astray] _ in
        drawn.add()
        if CurrentScheduler.scheduler !== QueueScheduler.main { astray.add() }
      }
      .store(in: bag)
    state.signal.map { "\($0.free) free at \($0.price)" }
      .distinctUntilChanged()
      .bind(to: banner)
      .store(in: bag)
  }

  /// Applies the actions of a worker while the workflow exists.
  func run(_ actions: Signal<KioskAction, Never>) {
    actions.subscribe { [weak self] in self?.apply($0) }.store(in: bag)
  }

  private func apply(_ action: KioskAction) {
    state.modify { state in
      switch action {
      case .scanned(let code): state.scans = state.scans.suffix(9) + [code]
      case .typed(let key): state.typed.append(key)
      case .tariff(let price): state.price = price
      case .free(let seats): state.free = seats
      case .time(let tick): state.time = tick
      }
    }
  }
}

/// A device that reports its codes on a separate queue.
private final class Scanner: Sendable {
  let codes = Subject<String, Never>("codes")
  private let queue = QueueScheduler(label: "scanner")

  func read(_ code: String) { _ = queue.schedule { [codes] in codes.send(code) } }
}

private final class Workers: Sendable {
  private let seats = Subject<Int, Never>("seats")
  private let server = QueueScheduler(label: "seat server")

  init(
    _ workflow: Workflow,
    _ scanner: Scanner,
    _ keys: Subject<Character, Never>,
    _ version: Version
  ) {
    let scans = scanner.codes.signal.distinctUntilChanged().map { KioskAction.scanned($0) }
    workflow.run(
      version == .fixed ? scans.deliver(on: .main) : scans.subscribe(on: .main)  // blame
    )
    workflow.run(keys.signal.map { KioskAction.typed($0) }.subscribe(on: .main))
    workflow.run(tariff().map { KioskAction.tariff($0) }.deliver(on: .main))
    workflow.run(
      seats.signal
        .flatMapLatest { [server] show in
          Signal.timer(after: .milliseconds(50), on: server).map { KioskAction.free(90 - show) }
        }
        .deliver(on: .main)
    )
    workflow.run(Signal.interval(.milliseconds(250), on: .main).map { KioskAction.time($0) })
  }

  func askForSeats(at show: Int) { seats.send(show) }

  /// Reads the tariff from disk, which takes a moment.
  private func tariff() -> Signal<Int, Never> {
    Signal<Int, Never>.deferred { .just((1...2000).reduce(0) { ($0 &+ $1 * $1) % 31 }) }
      .subscribe(on: .background)
  }
}
