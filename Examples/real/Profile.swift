import Reactive
import ReactiveTrace
import Synchronization

/// A profile that is opened and closed again and again; the user it shows outlives it.
///
/// Rebuilt from ReactiveCocoa/ReactiveSwift#824. Whenever the user changed, the name was computed
/// again for each profile that had ever been opened.
extension Real {
  static let profile = Report("profile", "work for screens that are closed") { version in
    let users = UserRepository()
    let header = Header(users)
    for round in 1...14 {
      let model = ProfileModel(users, version)
      let view = ProfileView(model)
      await pause(120)
      users.rename("user \(round)")
      await pause(120)
      view.close()
      Trace.mark("profile closed")
    }
    let before = users.computed.count
    users.rename("the last")
    await pause(200)
    print("a change with no profile open computes \(users.computed.count - before) names")
    return (users, header)
  }
}

/// The user who is signed in.
private final class UserRepository: Sendable {
  struct User: Sendable, Equatable {
    var firstName = "first"
    var lastName = "last"
    var unread = 0
  }

  let user = MutableProperty(User(), "user")
  let computed = Tally()
  private let ticks: any Disposable

  init() {
    ticks = Signal.interval(.milliseconds(300), on: .main).subscribe { [user] count in
      user.value.unread = count
    }
  }

  deinit { ticks.dispose() }

  func rename(_ name: String) { user.value.firstName = name }
}

/// The content of a profile, while it is open.
private final class ProfileModel: Sendable {
  let firstName = Subject<String, Never>("first name")
  let lastName = Subject<String, Never>("last name")
  let badge = Subject<Int, Never>("badge")
  private let token = Lifetime.Token()

  init(_ users: UserRepository, _ version: Version) {
    let user = users.user.signal
    let computed = users.computed
    let first = user.map(\.firstName).distinctUntilChanged().doNext { _ in computed.add() }
    if version == .fixed {
      feed(first, into: firstName, during: token.lifetime)
    } else {
      feed(first, into: firstName)  // blame
    }
    feed(user.map(\.lastName).distinctUntilChanged(), into: lastName, during: token.lifetime)
    feed(user.map(\.unread).distinctUntilChanged(), into: badge, during: token.lifetime)
  }

  /// Forwards the values of a signal to a subject.
  private func feed<Value: Sendable>(
    _ signal: Signal<Value, Never>,
    into subject: Subject<Value, Never>,
    during lifetime: Lifetime? = nil
  ) {
    let feeding = signal.subscribe { subject.send($0) }
    lifetime?.add(feeding)
  }
}

/// A profile on the screen.
private final class ProfileView: Sendable {
  private let model: ProfileModel
  private let text = MutableProperty("", "text")
  private let bag = DisposableBag()

  init(_ model: ProfileModel) {
    self.model = model
    merge(model.firstName.signal, model.lastName.signal).bind(to: text).store(in: bag)
    model.badge.signal.throttle(.milliseconds(50), on: .main).subscribe { _ in }.store(in: bag)
  }

  func close() { bag.empty() }
}

/// The part of the screen that is always visible.
private final class Header: Sendable {
  private let greeting = MutableProperty("", "greeting")
  private let bag = DisposableBag()

  init(_ users: UserRepository) {
    users.user.signal.map { "Hello \($0.firstName)" }.distinctUntilChanged()
      .bind(to: greeting).store(in: bag)
  }
}

/// A thread-safe counter.
private final class Tally: Sendable {
  private let total = Atomic(0)
  var count: Int { total.load(ordering: .relaxed) }
  func add() { total.add(1, ordering: .relaxed) }
}
