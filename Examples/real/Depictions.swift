import Glibc
import Reactive
import Synchronization

/// A screen of a photo app where the user says what a picture shows: words are looked up on a
/// server; before anything is typed, recently chosen things are suggested from a database.
///
/// Rebuilt from commons-app/apps-android-commons#6829. Whenever the field was empty, the app froze:
/// the signal was subscribed to in the background, but the database was read before that.
extension Real {
  static let depictions = Report("depictions", "stands still") { version in
    let screen = DepictionScreen(version)
    for word in ["bridge", "tower", "river"] {
      screen.text.value = ""
      await pause(600)
      for length in 1...word.count {
        screen.text.value = String(word.prefix(length))
        await pause(25)
      }
      await pause(350)
      screen.choose(word)
    }
    await pause(200)
    print("depictions: the animation stood still \(screen.stops.value) times")
    return screen
  }
}

/// Blocks the calling thread while it reads.
private final class Database: Sendable {
  private let chosen = Mutex(["castle", "harbour", "market"])

  func recent() -> [String] {
    usleep(300_000)
    return chosen.withLock { Array($0.suffix(3)) }
  }

  func captions() -> [String] {
    usleep(120_000)
    return chosen.withLock { $0.map { "a \($0) in the evening" } }
  }

  func add(_ thing: String) { chosen.withLock { $0.append(thing) } }
}

private final class Server: Sendable {
  private let queue = QueueScheduler(label: "server")

  func search(_ word: String) -> Signal<[String], Never> {
    Signal.timer(after: .milliseconds(90), on: queue).map { [word, "\(word) of stone"] }
  }

  func picture(of thing: String) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(40), on: queue).map { "picture of \(thing)" }
  }
}

private final class DepictionScreen: Sendable {
  let text = MutableProperty("bay", "text")
  let stops = Counter()
  private let version: Version
  private let database = Database()
  private let server = Server()
  private let things = MutableProperty<[String]>([], "things")
  private let captions = MutableProperty<[String]>([], "captions")
  private let pictures = MutableProperty("", "pictures")
  private let saves = Subject<String, Never>("saves")
  private let last = Mutex(ContinuousClock.now)
  private let bag = DisposableBag()

  init(_ version: Version) {
    self.version = version
    text.signal
      .debounce(.milliseconds(80), on: .main)
      .distinctUntilChanged()
      .flatMapLatest { [unowned self] in suggestions(for: $0) }  // blame, too
      .deliver(on: .main)
      .bind(to: things)
      .store(in: bag)
    things.signal
      .compactMap(\.first)
      .flatMapLatest { [server] in server.picture(of: $0) }
      .deliver(on: .main)
      .bind(to: pictures)
      .store(in: bag)
    saves.signal
      .deliver(on: .background)
      .map { [database] thing in
        database.add(thing)
        return database.captions()
      }
      .deliver(on: .main)
      .bind(to: captions)
      .store(in: bag)
    Signal.interval(.milliseconds(25), on: .main)
      .subscribe { [weak self] _ in self?.animate() }
      .store(in: bag)
  }

  func choose(_ thing: String) { saves.send(thing) }

  /// The suggestions for a word, or the recently chosen things if it is empty.
  private func suggestions(for word: String) -> Signal<[String], Never> {
    guard word.isEmpty else {
      return inBackground { [server] in server.search(word) }
    }
    if version == .fixed {
      return inBackground { [database] in .just(database.recent()) }
    }
    let recent = database.recent()  // blame
    return inBackground { .just(recent) }
  }

  /// Makes a signal and subscribes to it on the background queue.
  private func inBackground(
    _ make: @escaping @Sendable () -> Signal<[String], Never>
  ) -> Signal<[String], Never> {
    Signal.deferred(make).subscribe(on: .background)
  }

  /// Draws the next frame of an animation, and counts pauses of more than 200 ms.
  private func animate() {
    let now = ContinuousClock.now
    let pause = last.withLock { last in
      defer { last = now }
      return last.duration(to: now)
    }
    if pause > .milliseconds(200) { stops.add() }
  }
}
