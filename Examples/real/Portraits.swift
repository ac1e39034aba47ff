import Reactive
import ReactiveTrace
import Synchronization

/// A guide to people: a page shows a portrait, and takes its colours from it once that has loaded.
///
/// Rebuilt from ReactiveX/RxJava#3954. The picture's view reports through a subject when its
/// picture is set. The first page worked; a cached picture came before there was an observer.
extension Real {
  static let portraits = Report("portraits", "pages stay grey") { version in
    let loader = PictureLoader()
    let guide = Guide(loader, version)
    for name in ["Ada", "Blaise", "Ada", "Carl", "Blaise", "Ada", "Carl", "Dana"] {
      Trace.mark("page of \(name)")
      guide.open(name)
      await pause(220)
      guide.back()
      await pause(60)
    }
    print("portraits: \(guide.coloured.value) of 8 pages got their colours")
    return [loader, guide] as [Any]
  }
}

private final class PictureLoader: Sendable {
  private let queue = QueueScheduler(label: "pictures")
  private let cache = Mutex<[String: String]>([:])

  /// A picture that has been loaded before is sent at once.
  func picture(_ path: String) -> Signal<String, Never> {
    if let known = cache.withLock({ $0[path] }) { return .just(known) }
    return Signal.timer(after: .milliseconds(70), on: queue)
      .map { [weak self] in
        self?.cache.withLock { $0[path] = "pixels of \(path)" }
        return "pixels of \(path)"
      }
      .deliver(on: .main)
  }
}

/// Shows a picture, and reports when it is set.
private final class PictureView: Sendable {
  let set: Subject<String, Never>
  private let loader: PictureLoader
  private let shown: MutableProperty<String>
  private let bag = DisposableBag()

  init(_ name: String, _ loader: PictureLoader) {
    self.loader = loader
    set = Subject("\(name) set")
    shown = MutableProperty("", name)
  }

  func load(_ path: String) {
    loader.picture(path)
      .subscribe { [shown, set] pixels in
        shown.value = pixels
        set.send(pixels)
      }
      .store(in: bag)
  }
}

@MainActor
private final class Guide {
  let coloured = Counter()
  private let loader: PictureLoader
  private let version: Version
  private let visits = MutableProperty(0, "visits")
  private let badge = MutableProperty("", "badge")
  private var page: PersonPage?
  private let bag = DisposableBag()

  init(_ loader: PictureLoader, _ version: Version) {
    self.loader = loader
    self.version = version
    visits.signal.map { "\($0) visits" }.bind(to: badge).store(in: bag)
    Signal.interval(.milliseconds(300), on: .main)
      .withLatest(from: visits.signal)
      .subscribe { _ in }
      .store(in: bag)
  }

  func open(_ name: String) {
    visits.modify { $0 += 1 }
    page = PersonPage(name, loader, coloured, version)
  }

  func back() { page = nil }
}

@MainActor
private final class PersonPage {
  private let portrait: PictureView
  private let flag: PictureView
  private let colours = MutableProperty("grey", "colours")
  private let caption = MutableProperty("", "caption")
  private let bag = DisposableBag()

  init(_ name: String, _ loader: PictureLoader, _ coloured: Counter, _ version: Version) {
    portrait = PictureView("portrait", loader)
    flag = PictureView("flag", loader)
    if version == .reported { portrait.load("portrait of \(name)") }  // blame
    portrait.set.signal
      .map { "colours of \($0)" }
      .subscribe { [colours] found in  // blame, too
        colours.value = found
        coloured.add()
      }
      .store(in: bag)
    if version == .fixed { portrait.load("portrait of \(name)") }
    flag.set.signal
      .map { "with \($0)" }
      .bind(to: caption)
      .store(in: bag)
    flag.load("flag of the country of \(name)")
  }
}
