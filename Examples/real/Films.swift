import Reactive
import Synchronization

/// A film app: the user's events, ratings and loads are turned into results one after the other.
///
/// Rebuilt from kaushikgopal/movies-usf-android#38. An event whose result was a signal without an
/// end blocked the queue for ever: from then on the screen did not react to its users.
extension Real {
  static let films = Report("films", "the screen does not answer") { version in
    let library = Library()
    let screen = Screen(library, version)
    let events = ["list", "search", "open", "list", "search", "list", "search"]
    for (number, event) in events.enumerated() {
      screen.events.send(event)
      library.rated.send(number)
      if number.isMultiple(of: 2) { library.wanted.send("poster \(number)") }
      await pause(450)
      library.favourites.value += 1
    }
    await pause(300)
    print("screen: \(screen.count("event")) of 7 events were answered")
    return [library, screen]
  }
}

private final class Library: Sendable {
  let favourites = MutableProperty(2, "favourites")
  let rated = Subject<Int, Never>("rated")
  let wanted = Subject<String, Never>("wanted")
  private let queue = QueueScheduler(label: "library")

  func load(_ what: String) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(70), on: queue).map { "\(what), loaded" }
  }
}

private final class Screen: Sendable {
  let events = Subject<String, Never>("events")
  private let bag = DisposableBag()
  private let done = Mutex<[String: Int]>([:])

  init(_ library: Library, _ version: Version) {
    process("event", events.signal) { event in  // blame, too
      switch event {
      case "open":
        let state = library.favourites.signal.map { "\($0) favourites" }  // blame
        return version == .fixed ? state.take(1) : state
      default:
        return library.load(event)
      }
    }
    process("rating", library.rated.signal) { library.load("rating \($0)") }
    process("poster", library.wanted.signal) { library.load($0) }
    library.favourites.signal.deliver(on: .main)
      .subscribe(with: self) { screen, _ in screen.finish("star") }
      .store(in: bag)
    Signal.interval(.milliseconds(500), on: .main)
      .flatMapLatest { _ in library.favourites.signal }
      .subscribe(with: self) { screen, _ in screen.finish("refresh") }
      .store(in: bag)
  }

  func count(_ part: String) -> Int { done.withLock { $0[part, default: 0] } }

  /// Works on one input after the other, and counts those that are done.
  private func process<Input>(
    _ part: String,
    _ inputs: Signal<Input, Never>,
    _ work: @escaping @Sendable (Input) -> Signal<String, Never>
  ) {
    inputs
      .concatMap { input in  // blame, too
        work(input).doCompleted { [weak self] in self?.finish(part) }
      }
      .deliver(on: .main)
      .subscribe()
      .store(in: bag)
  }

  private func finish(_ part: String) { done.withLock { $0[part, default: 0] += 1 } }
}
