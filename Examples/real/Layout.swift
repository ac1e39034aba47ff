import Reactive
import ReactiveTrace
import Synchronization

/// A map in a page: a layout has places for a map, a sidebar and a toolbar. These parts are
/// notified when the layout and the map are ready, and of every change of the map.
///
/// Rebuilt from hslayers/hslayers-ng#1523. The layout reported that it was loaded while it was
/// being created; the part that waits for this report had not subscribed yet, and was never placed.
extension Real {
  static let layout = Report("layout", "parts are not in place") { version in
    let desk = Desk()
    for round in 1...6 {
      let page = Page(desk, version)
      await page.open()
      page.drag(by: round)
      await pause(120)
      page.resize(to: 600 + round * 40)
      await pause(120)
      page.close()
      Trace.mark("page \(round)")
    }
    print("layout: the sidebar was put in its place on \(desk.sidebars.value) of 6 pages")
    return desk
  }
}

/// Counts what all pages have drawn.
private final class Desk: Sendable {
  let sidebars = Counter()
  let toolbars = Counter()
  let redraws = Counter()
}

private struct Frame: Sendable {
  var width: Int
}

/// The service through which the parts of a page communicate.
private final class LayoutService: Sendable {
  let layoutLoads = Subject<Frame, Never>("layout loads")
  let mapLoads = Subject<String, Never>("map loads")
  let centre = MutableProperty(0, "centre")
  let width = MutableProperty(600, "width")
}

@MainActor
private final class Page {
  private let desk: Desk
  private let version: Version
  private let service = LayoutService()
  private let bag = DisposableBag()
  private var parts: [Any] = []

  init(_ desk: Desk, _ version: Version) {
    self.desk = desk
    self.version = version
    service.width.signal.skip(1).debounce(.milliseconds(50), on: .main)
      .subscribe { _ in desk.redraws.add() }
      .store(in: bag)
  }

  func open() async {
    prepare()
    await pause(60)
    parts = [Sidebar(service, desk, bag), Toolbar(service, desk, bag), MapView(service, desk, bag)]
    viewIsReady()
    await pause(80)
    service.mapLoads.send("streets")
  }

  func drag(by distance: Int) {
    for _ in 0..<3 { service.centre.modify { $0 += distance } }
  }

  func resize(to width: Int) { service.width.value = width }

  func close() {
    bag.empty()
    parts = []
  }

  /// Runs before anything is drawn.
  private func prepare() {
    service.width.value = 800
    if version != .fixed { tellLoaded() }  // blame
  }

  /// Runs when all parts are on the page.
  private func viewIsReady() {
    if version == .fixed { tellLoaded() }
  }

  private func tellLoaded() {
    service.layoutLoads.send(Frame(width: service.width.value))  // blame, too
  }
}

@MainActor
private final class Sidebar {
  private let panel = MutableProperty("", "panel")
  private let size = MutableProperty("", "size")

  init(_ service: LayoutService, _ desk: Desk, _ bag: DisposableBag) {
    service.layoutLoads.signal.take(1).deliver(on: .main)
      .subscribe { [panel] frame in
        desk.sidebars.add()
        panel.value = "layers in \(frame.width)"
      }
      .store(in: bag)
    service.width.signal.map { "\($0 / 4) wide" }.bind(to: size).store(in: bag)
  }
}

@MainActor
private final class Toolbar {
  private let position = MutableProperty("", "position")

  init(_ service: LayoutService, _ desk: Desk, _ bag: DisposableBag) {
    service.mapLoads.signal.take(1).deliver(on: .main)
      .subscribe { _ in desk.toolbars.add() }
      .store(in: bag)
    service.centre.signal.map { "at \($0)" }.bind(to: position).store(in: bag)
  }
}

@MainActor
private final class MapView {
  init(_ service: LayoutService, _ desk: Desk, _ bag: DisposableBag) {
    combineLatest(service.mapLoads.signal, service.centre.signal)
      .subscribe { _ in desk.redraws.add() }
      .store(in: bag)
    Signal.interval(.milliseconds(100), on: .main)
      .withLatest(from: service.centre.signal)
      .subscribe { _ in desk.redraws.add() }
      .store(in: bag)
  }
}
