import Reactive
import ReactiveTrace
import Synchronization

/// A reader for an atlas whose sheets come from a server: loaded sheets are cached and shared by
/// several parts of the screen, and the user can request a sheet again if it has not come.
///
/// Rebuilt from Itqan-community/cms-frontend#190. After one failed request for a sheet, that sheet
/// never came, however often the user tried again, while all other sheets did.
extension Real {
  static let atlas = Report("atlas", "fails for ever") { version in
    let server = SheetServer()
    let library = SheetLibrary(server, version)
    let reader = Reader(library)
    for number in [1, 2, 3, 4, 3, 2, 5, 6] {
      Trace.mark("sheet \(number)")
      reader.open(number)
      await pause(180)
      for _ in 0..<2 where !reader.isShown(number) {
        reader.open(number)
        await pause(180)
      }
    }
    print(
      "atlas: \(reader.shown.value) of 8 sheets were shown,",
      "\(server.requests("sheet")) sheets were asked for"
    )
    return [server, library, reader] as [Any]
  }
}

private struct Hiccup: Error {}

/// Fails the first request for some sheets.
private final class SheetServer: Sendable {
  private let queue = QueueScheduler(label: "sheet server")
  private let asked = Mutex<[String: Int]>([:])

  func requests(_ kind: String) -> Int {
    asked.withLock { $0.filter { $0.key.hasPrefix(kind) }.values.reduce(0, +) }
  }

  func load(_ path: String, failsAtFirst: Bool) -> Signal<String, Hiccup> {
    Signal.timer(after: .milliseconds(60), on: queue)
      .tryMap { [weak self] _ throws(Hiccup) in
        let time = self?.count(path) ?? 0
        if failsAtFirst, time == 1 { throw Hiccup() }
        return "contents of \(path)"
      }
  }

  private func count(_ path: String) -> Int {
    asked.withLock { asked in
      asked[path, default: 0] += 1
      return asked[path, default: 0]
    }
  }
}

/// Returns cached items, and loads the others.
private final class SheetLibrary: Sendable {
  /// The list of places, which all sheets need.
  let index: Signal<String, Hiccup>
  /// The reader's distance, measured while it has subscribers.
  let distance: Signal<Int, Never>
  private let server: SheetServer
  private let version: Version
  private let kept = Mutex<[String: Signal<String, Hiccup>]>([:])

  init(_ server: SheetServer, _ version: Version) {
    self.server = server
    self.version = version
    index = server.load("index", failsAtFirst: true).retry(2).share(replay: 1, scope: .forever)
    distance = Signal.interval(.milliseconds(140), on: .background).share(replay: 1)
  }

  func sheet(_ number: Int) -> Signal<String, Hiccup> {
    cached("sheet \(number)") {
      server.load("sheet \(number)", failsAtFirst: number == 3 || number == 5)
    }
  }

  func legend(_ number: Int) -> Signal<String, Hiccup> {
    cached("legend \(number)") { server.load("legend \(number)", failsAtFirst: false) }
  }

  private func cached(
    _ key: String,
    _ request: () -> Signal<String, Hiccup>
  ) -> Signal<String, Hiccup> {
    if let known = kept.withLock({ $0[key] }) { return known }
    let loaded =
      version == .fixed ? request().doFailed { [weak self] _ in self?.drop(key) } : request()
    let shared = loaded.share(replay: 1, scope: .forever)  // blame
    kept.withLock { $0[key] = shared }  // blame, too
    return shared
  }

  private func drop(_ key: String) { kept.withLock { $0[key] = nil } }
}

@MainActor
private final class Reader {
  let shown = Counter()
  private let library: SheetLibrary
  private let picture = MutableProperty("", "picture")
  private let caption = MutableProperty("", "caption")
  private let places = MutableProperty("", "places")
  private let message = MutableProperty("", "message")
  private let steps = MutableProperty(0, "steps")
  private let sheet = DisposableBag()
  private let bag = DisposableBag()

  init(_ library: SheetLibrary) {
    self.library = library
    library.distance.deliver(on: .main).bind(to: steps).store(in: bag)
  }

  func open(_ number: Int) {
    sheet.empty()
    message.value = ""
    show(library.sheet(number)) { [picture, shown] contents in
      shown.add()
      picture.value = contents
    }
    show(library.sheet(number)) { [caption] in caption.value = "\($0.count) signs" }
    show(library.legend(number)) { [caption] in caption.value = $0 }
    show(library.index) { [places] in places.value = $0 }
    library.distance.map { "\($0) km" }.deliver(on: .main).subscribe().store(in: sheet)
  }

  func isShown(_ number: Int) -> Bool { picture.value == "contents of sheet \(number)" }

  private func show(
    _ contents: Signal<String, Hiccup>,
    _ draw: @escaping @Sendable (String) -> Void
  ) {
    contents
      .deliver(on: .main)
      .subscribe(next: draw, failed: { [message] _ in message.value = "Try again." })
      .store(in: sheet)
  }
}
