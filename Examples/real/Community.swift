import Reactive
import ReactiveTrace

/// A social network on a phone: at launch the app finds out who is signed in, and goes to the feed
/// or to the sign-in page. From there the user opens posts; messages slide in at the bottom.
///
/// Rebuilt from MozillaSocial/mozilla-social-android#317. The first destination was often sent
/// before anything subscribed to it; users saw a blank screen.
extension Real {
  static let community = Report("community", "blank screens") { version in
    let blank = Counter()
    for round in 1...6 {
      let launch = Launch(account: round.isMultiple(of: 3) ? nil : "user \(round)", version)
      launch.begin()
      await pause(200)
      launch.appear()
      await pause(150)
      if launch.isBlank { blank.add() }
      launch.open(post: round)
      await pause(100)
      launch.back()
      await pause(50)
      Trace.mark("launch \(round)")
    }
    print("community: the screen was blank after \(blank.value) of 6 launches")
    return blank
  }
}

private enum Destination: Equatable, Sendable {
  case signIn
  case feed
  case post(Int)
}

/// Events that view models send to the screen.
private final class Events: Sendable {
  let destinations: ReplaySubject<Destination, Never>
  let messages = Subject<String, Never>("messages")
  let sounds = ReplaySubject<String, Never>(capacity: 0, "sounds")

  init(_ version: Version) {
    destinations = ReplaySubject(capacity: version == .fixed ? 1 : 0, "destinations")  // blame
  }
}

/// Knows which account is signed in.
private final class Accounts: Sendable {
  private let queue = QueueScheduler(label: "accounts")
  private let account: String?

  init(_ account: String?) { self.account = account }

  func current() -> Signal<String?, Never> {
    Signal.timer(after: .milliseconds(40), on: queue).map { [account] in account }
  }

  func post(_ number: Int) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(20), on: queue).map { "post \(number)" }
  }
}

@MainActor
private final class Launch {
  private let accounts: Accounts
  private let events: Events
  private let messages: MessageBar
  private var screen: Screen?
  private let post = MutableProperty("", "post")
  private let bag = DisposableBag()

  init(account: String?, _ version: Version) {
    accounts = Accounts(account)
    events = Events(version)
    messages = MessageBar(events)
  }

  /// Finds out who is signed in while the splash screen is shown.
  func begin() {
    accounts.current()
      .map { $0 == nil ? Destination.signIn : .feed }
      .deliver(on: .main)
      .subscribe { [events] in events.destinations.send($0) }
      .store(in: bag)
    accounts.current()
      .map { $0.map { "Hello \($0)" } ?? "Hello" }
      .deliver(on: .main)
      .subscribe { [events] in events.messages.send($0) }
      .store(in: bag)
  }

  func appear() { screen = Screen(events) }

  var isBlank: Bool { screen?.shown == nil }

  func open(post number: Int) {
    accounts.post(number).bind(to: post).store(in: bag)
    events.destinations.send(.post(number))
    events.messages.send("post \(number) is being loaded")
    events.sounds.send("page")
  }

  func back() { events.destinations.send(.feed) }
}

/// Opens the destinations that are sent to it.
private final class Screen: Sendable {
  private let stack = MutableProperty<[Destination]>([], "stack")
  private let title = MutableProperty("", "screen title")
  private let bag = DisposableBag()

  init(_ events: Events) {
    events.destinations.signal  // blame, too
      .subscribe { [stack] in stack.value.append($0) }
      .store(in: bag)
    stack.signal.map { "\($0.count) pages" }.bind(to: title).store(in: bag)
    events.sounds.signal.subscribe().store(in: bag)
  }

  var shown: Destination? { stack.value.last }
}

/// Shows a message for a while.
private final class MessageBar: Sendable {
  private let text = MutableProperty("", "message")
  private let bag = DisposableBag()

  init(_ events: Events) {
    events.messages.signal
      .flatMapLatest { message in
        Signal.timer(after: .milliseconds(80), on: .main).map { "" }.startWith(message)
      }
      .bind(to: text)
      .store(in: bag)
  }
}
