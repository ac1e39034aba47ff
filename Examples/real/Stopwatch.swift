import Reactive
import ReactiveTrace
import Synchronization

/// Small screens over one store, which runs their effects: a stopwatch and a download.
///
/// Rebuilt from pointfreeco/swift-composable-architecture#586. The timer of the stopwatch continued
/// when its screen had been left: the store kept receiving ticks that nobody needed.
extension Real {
  static let stopwatch = Report("stopwatch", "timers go on") { version in
    let store = Store()
    let clock = MutableProperty(0, "clock")
    store.run("clock", Signal.interval(.milliseconds(250), on: .main)) { clock.value = $0 }
    for visit in 1...6 {
      Trace.mark("visit \(visit)")
      let watch = Stopwatch(store, visit, version)
      let download = Download(store, visit)
      watch.start()
      download.start()
      await pause(400)
      watch.leave()
      download.leave()
      await pause(200)
    }
    let ticks = store.count("tick")
    await pause(500)
    let late = store.count("tick") - ticks
    print("store: \(late) ticks in half a second after all screens were left")
    return [store, clock]
  }
}

/// Runs effects under names, until they end or are cancelled.
private final class Store: Sendable {
  private let effects = Mutex<[String: any Disposable]>([:])
  private let received = Mutex<[String: Int]>([:])

  func run<Value>(
    _ name: String,
    _ effect: Signal<Value, Never>,
    _ action: @escaping @Sendable (Value) -> Void
  ) {
    let disposable = effect.subscribe(next: action)
    effects.withLock { $0.updateValue(disposable, forKey: name) }?.dispose()
  }

  func cancel(_ name: String) { effects.withLock { $0.removeValue(forKey: name) }?.dispose() }

  func receive(_ action: String) { received.withLock { $0[action, default: 0] += 1 } }

  func count(_ action: String) -> Int { received.withLock { $0[action, default: 0] } }
}

private final class Stopwatch: Sendable {
  private let store: Store
  private let visit: Int
  private let version: Version

  init(_ store: Store, _ visit: Int, _ version: Version) {
    self.store = store
    self.visit = visit
    self.version = version
  }

  func start() {
    let ticks = Signal.interval(.milliseconds(100), on: .main)  // blame, too
    store.run("stopwatch \(visit)", ticks) { [store] _ in store.receive("tick") }  // blame
    let hands = Signal.interval(.milliseconds(40), on: .main)
    store.run("hands \(visit)", hands) { [store] _ in store.receive("hands") }
  }

  func leave() {
    store.cancel("hands \(visit)")
    if version == .fixed { store.cancel("stopwatch \(visit)") }
  }
}

private final class Download: Sendable {
  private let store: Store
  private let visit: Int

  init(_ store: Store, _ visit: Int) {
    self.store = store
    self.visit = visit
  }

  func start() {
    let pieces = Signal.interval(.milliseconds(60), on: .main)
    store.run("pieces \(visit)", pieces) { [store] _ in store.receive("piece") }
    // This effect ends by itself.
    let pulse = Signal.interval(.milliseconds(80), on: .main).take(4)
    store.run("pulse \(visit)", pulse) { [store] _ in store.receive("pulse") }
  }

  func leave() {
    store.cancel("pieces \(visit)")
    store.cancel("pulse \(visit)")
  }
}
