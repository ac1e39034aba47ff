import Reactive
import ReactiveTrace
import Synchronization

/// A messenger's settings: one value that holds them all, and screens that each show a part of it.
///
/// Rebuilt from torlando-tech/columba#100. The store sends all preferences whenever one changes,
/// and what depends on one was computed each time: the screen dropped frames without need.
extension Real {
  static let settings = Report("settings", "the same is computed again") { version in
    let store = Store()
    let screens = Screens(store, version)
    for round in 1...5 {
      Trace.mark("round \(round)")
      for step in 1...10 {
        store.change { $0.lastSeen = round * 100 + step }
        await pause(60)
      }
      store.change { $0.name = "name \(round)" }
      if round == 3 { store.change { $0.theme = "dark" } }
      await pause(60)
    }
    print("theme: built \(screens.count("theme")) times, chosen twice")
    return [store, screens]
  }
}

private struct Preferences: Sendable, Equatable {
  var name = "name"
  var theme = "light"
  var isLoud = true
  var lastSeen = 0
}

private final class Store: Sendable {
  private let preferences = MutableProperty(Preferences(), "preferences")

  var all: Signal<Preferences, Never> { preferences.signal }

  func change(_ edit: (inout Preferences) -> Void) { preferences.modify(edit) }
}

/// Computes all colours of a theme, which is expensive.
private func palette(_ theme: String) -> [Int] {
  (0..<4000).map { shade in
    theme.unicodeScalars.reduce(shade) { ($0 &* 31 &+ Int($1.value)) & 0xFFFF }
  }
}

private final class Screens: Sendable {
  private let bag = DisposableBag()
  private let built = Mutex<[String: Int]>([:])

  init(_ store: Store, _ version: Version) {
    show("name", store.all.map { $0.name }.distinctUntilChanged()) { $0.uppercased() }
    show("bell", store.all.map { $0.isLoud }.distinctUntilChanged()) { $0 ? "on" : "off" }
    show("last seen", store.all.map { $0.lastSeen }.distinctUntilChanged()) { "\($0)" }

    var theme = store.all.map { $0.theme }  // blame
    if version == .fixed { theme = theme.distinctUntilChanged() }
    show("theme", theme) { palette($0) }

    show("clock", Signal.interval(.milliseconds(300), on: .main)) { "\($0)" }
    let both = combineLatest(
      store.all.map { $0.name }.distinctUntilChanged(),
      store.all.map { $0.isLoud }.distinctUntilChanged()
    )
    show("title", both) { "\($0.0), \($0.1)" }
  }

  func count(_ part: String) -> Int { built.withLock { $0[part, default: 0] } }

  private func show<Value, Picture: Sendable>(
    _ part: String,
    _ values: Signal<Value, Never>,
    _ build: @escaping @Sendable (Value) -> Picture
  ) {
    values
      .map { [weak self] value in
        self?.built.withLock { $0[part, default: 0] += 1 }
        return build(value)
      }
      .subscribe()
      .store(in: bag)
  }
}
