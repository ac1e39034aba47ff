import Reactive

/// A news app about an epidemic. It requests the contents of its pages during the splash screen,
/// and then shows the home page or reports that there is no connection.
///
/// Rebuilt from vostpt/covid19-mobile#222. With a bad connection, the app stayed at its splash
/// screen without a message.
extension Real {
  static let splash = Report("splash", "the app does not get going") { version in
    let phone = Phone(version)
    for connection in [Connection.good, .bad, .good, .none, .bad] {
      phone.start(with: connection)
      await pause(800)
    }
    print(
      "splash: of 5 starts \(phone.home.value) came to the home page, "
        + "\(phone.warnings.value) said there was no connection"
    )
    return phone
  }
}

private enum Connection { case good, bad, none }

private enum Topic: Int, Sendable { case numbers, questions, videos, measures }

/// Reports for each request whether it succeeded.
private final class Backend: Sendable {
  let results = Subject<(Topic, Bool), Never>("results")
  private let connection: Connection
  private let queue = QueueScheduler(label: "backend")
  private let bag = DisposableBag()

  init(_ connection: Connection) { self.connection = connection }

  func get(_ topic: Topic) {
    // A bad connection is too slow for videos.
    if connection == .bad, topic == .videos { return }
    let isGood = connection != .none
    Signal.timer(after: .milliseconds(40 + 20 * topic.rawValue), on: queue)
      .subscribe { [results] in results.send((topic, isGood)) }
      .store(in: bag)
  }
}

@MainActor
private final class Phone {
  let home = Counter()
  let warnings = Counter()
  private let version: Version
  private var splash: Splash?
  private var page: HomePage?
  private let clock = MutableProperty(0, "clock")

  init(_ version: Version) {
    self.version = version
    Signal.interval(.milliseconds(150), on: .main).bind(to: clock)
  }

  func start(with connection: Connection) {
    page = nil
    let backend = Backend(connection)
    let splash = Splash(backend, version) { [weak self] isLoaded in
      MainActor.assumeIsolated { self?.leave(backend, isLoaded) }
    }
    self.splash = splash
  }

  private func leave(_ backend: Backend, _ isLoaded: Bool) {
    splash = nil
    (isLoaded ? home : warnings).add()
    if isLoaded { page = HomePage(backend) }
  }
}

/// The splash screen: four requests and a short animation.
private final class Splash: Sendable {
  private let animation = Subject<Bool, Never>("animation")
  private let bag = DisposableBag()

  init(
    _ backend: Backend,
    _ version: Version,
    _ leave: @escaping @Sendable (_ isLoaded: Bool) -> Void
  ) {
    func loaded(_ topic: Topic) -> Signal<Bool, Never> {
      backend.results.signal.filter { $0.0 == topic }.map(\.1)
    }
    let pages = zip(loaded(.numbers), loaded(.questions))
    let films = zip(loaded(.videos), loaded(.measures))
    let data = zip(pages, films) { $0.0 && $0.1 && $1.0 && $1.1 }  // blame, too
    let all = combineLatest(animation.signal, data) { $0 && $1 }.take(1)  // blame
    let decision =
      version == .fixed
      ? all.timeout(after: .milliseconds(400), on: .main, switchingTo: .just(false))
      : all
    decision.deliver(on: .main).subscribe(next: leave).store(in: bag)
    for topic in [Topic.numbers, .questions, .videos, .measures] { backend.get(topic) }
    Signal.timer(after: .milliseconds(120), on: .main)
      .subscribe { [animation] in animation.send(true) }
      .store(in: bag)
  }
}

/// Shows numbers and questions, which are requested again at an interval.
private final class HomePage: Sendable {
  private let rows = MutableProperty("", "rows")
  private let alarms = Subject<String, Never>("alarms")
  private let bag = DisposableBag()

  init(_ backend: Backend) {
    let numbers = backend.results.signal.filter { $0.0 == .numbers }
    let questions = backend.results.signal.filter { $0.0 == .questions }
    zip(numbers, questions) { "\($0.1) \($1.1)" }
      .merge(with: alarms.signal)
      .deliver(on: .main)
      .subscribe { [rows] in rows.value = $0 }
      .store(in: bag)
    Signal.interval(.milliseconds(180), on: .main)
      .subscribe { _ in
        backend.get(.numbers)
        backend.get(.questions)
      }
      .store(in: bag)
    combineLatest(rows.signal, numbers.map(\.1)) { "\($0): \($1)" }.subscribe().store(in: bag)
  }
}
