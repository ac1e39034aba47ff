import Reactive
import ReactiveTrace
import Synchronization

/// A program for watching streams: a list, which a button reloads, and a few other buttons.
///
/// Rebuilt from ReactiveCocoa/ReactiveCocoa#1144. After users press the button that refreshes the
/// list, the button stays disabled for ever, so the list is fetched only once.
extension Real {
  static let streams = Report("streams", "a button stays disabled") { version in
    let service = StreamService()
    let page = StreamPage(service, version)
    for round in 1...12 {
      page.refresh.execute(())
      page.follow.execute(())
      await pause(200)
      page.search.execute(())
      if round.isMultiple(of: 4) { service.signIn(round) }
      await pause(200)
      Trace.mark("round")
    }
    let done = page.done.withLock { $0 }
    print("refreshed \(done["refresh", default: 0]) times, followed \(done["follow", default: 0])")
    return (service, page)
  }
}

/// The service that lists streams.
private final class StreamService: Sendable {
  private let account = MutableProperty("guest", "account")
  private let isReachable = MutableProperty(true, "is reachable")
  private let queue = QueueScheduler(label: "streams")

  /// The streams of the signed-in user, requested again for each account.
  var followed: Signal<[String], Never> {
    combineLatest(account.signal, isReachable.signal)
      .filter { _, isReachable in isReachable }
      .flatMapLatest { [self] account, _ in fetch("streams of \(account)") }
  }

  /// The streams that the editors have chosen.
  var featured: Signal<[String], Never> { fetch("featured") }

  func fetch(_ name: String) -> Signal<[String], Never> {
    Signal.timer(after: .milliseconds(40), on: queue).map { (1...3).map { "\(name) \($0)" } }
  }

  func signIn(_ number: Int) { account.value = "viewer \(number)" }
}

/// The page, with its buttons.
private final class StreamPage: Sendable {
  let done = Mutex<[String: Int]>([:])
  let refresh: Command<Void, [String], Never>
  let follow: Command<Void, [String], Never>
  let search: Command<Void, [String], Never>
  private let spinner = MutableProperty(false, "spinner")
  private let list = MutableProperty<[String]>([], "list")
  private let bag = DisposableBag()

  init(_ service: StreamService, _ version: Version) {
    follow = Self.button { service.fetch("follow") }
    search = Self.button { service.fetch("search").delay(.milliseconds(20), on: .main) }
    refresh = Self.button {  // blame, too
      let both = combineLatest(service.followed, service.featured) { $0 + $1 }  // blame
      return version == .fixed ? both.take(1) : both
    }
    refresh.isExecuting.signal.bind(to: spinner).store(in: bag)
    show("refresh", refresh)
    show("follow", follow)
    show("search", search)
  }

  /// A button that starts some work.
  private static func button(
    _ work: @escaping @Sendable () -> Signal<[String], Never>
  ) -> Command<Void, [String], Never> {
    Command { _ in work() }
  }

  /// Shows the results of a button, and counts its executions.
  private func show(_ name: String, _ command: Command<Void, [String], Never>) {
    command.executionSignals
      .subscribe(with: self) { page, _ in page.done.withLock { $0[name, default: 0] += 1 } }
      .store(in: bag)
    command.executionSignals.flatten()
      .subscribe(with: self) { page, streams in page.list.value = streams }
      .store(in: bag)
  }
}
