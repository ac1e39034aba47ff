import Reactive
import ReactiveTrace
import Synchronization

/// A watcher of shops that sell leftovers: it logs in occasionally, polls the offers of the
/// favourite shops, and sends a message when there is something.
///
/// Rebuilt from marklagendijk/node-toogoodtogo-watcher#11. Polling should begin at once, but its
/// first tick came before the login was answered and was dropped: polling began one interval later.
extension Real {
  static let leftovers = Report("leftovers", "begins too late") { version in
    let shops = Shops()
    let notifier = Notifier()
    for evening in 1...4 {
      let watcher = Watcher(shops, notifier, version)
      notifier.mute(evening == 3)
      await pause(950)
      watcher.stop()
      Trace.mark("evening \(evening)")
    }
    print("leftovers: \(shops.early.value) of 4 evenings began with a look at the shops")
    return [shops, notifier] as [Any]
  }
}

private struct Token: Sendable {
  let number: Int
}

/// The shops' server, on which logging in takes 100 ms.
private final class Shops: Sendable {
  let early = Counter()
  private let queue = QueueScheduler(label: "shops")
  private let logins = Counter()

  func logIn() -> Signal<Token, Never> {
    Signal.timer(after: .milliseconds(100), on: queue).map { [logins] in
      logins.add()
      return Token(number: logins.value)
    }
  }

  func favourites(_ token: Token) -> Signal<[String], Never> {
    Signal.timer(after: .milliseconds(40), on: queue).map {
      token.number.isMultiple(of: 2) ? ["bread", "soup"] : ["cake"]
    }
  }

  func stars(_ token: Token) -> Signal<Int, Never> {
    Signal.timer(after: .milliseconds(20), on: queue).map { token.number + 3 }
  }
}

extension Signal where Value == Int, Failure == Never {
  /// Ticks at once, and then at an interval.
  fileprivate static func ticks(_ interval: Duration) -> Signal {
    Signal.interval(interval, on: .background).map { $0 + 1 }.startWith(0)
  }
}

private final class Watcher: Sendable {
  private let found = MutableProperty<[String]>([], "found")
  private let stars = MutableProperty(0, "stars")
  private let bag = DisposableBag()

  init(_ shops: Shops, _ notifier: Notifier, _ version: Version) {
    let tokens = Signal.ticks(.seconds(3)).flatMapLatest { _ in shops.logIn() }.share(replay: 1)
    let polls = Signal.ticks(.milliseconds(600))
    let looking: Signal<(Int, Token), Never> =
      version == .fixed
      ? combineLatest(polls, tokens)
      : polls.withLatest(from: tokens)  // blame
    looking
      .doNext { poll, _ in
        if poll == 0 { shops.early.add() }
      }
      .flatMapLatest { shops.favourites($0.1) }
      .bind(to: found)
      .store(in: bag)
    combineLatest(Signal.ticks(.milliseconds(400)), tokens)
      .flatMapLatest { shops.stars($0.1) }
      .bind(to: stars)
      .store(in: bag)
    notifier.watch(found.signal, bag)
  }

  func stop() { bag.empty() }
}

/// Sends messages, unless it is muted.
private final class Notifier: Sendable {
  private let isMuted = MutableProperty(false, "muted")
  private let sent = Mutex<[String]>([])
  private let badge = MutableProperty("", "badge")
  private let bag = DisposableBag()

  init() {
    Signal.interval(.milliseconds(350), on: .main)
      .withLatest(from: isMuted.signal)
      .map { $1 ? "quiet" : "\($0)" }
      .bind(to: badge)
      .store(in: bag)
  }

  func mute(_ muted: Bool) { isMuted.value = muted }

  func watch(_ found: Signal<[String], Never>, _ bag: DisposableBag) {
    found.filter { !$0.isEmpty }
      .distinctUntilChanged()
      .withLatest(from: isMuted.signal)
      .subscribe { [weak self] shops, isMuted in
        if !isMuted { self?.sent.withLock { $0.append(shops.joined(separator: ", ")) } }
      }
      .store(in: bag)
  }
}
