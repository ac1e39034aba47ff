import Reactive
import ReactiveTrace
import Synchronization

/// A support chat: staff talk to one visitor of a shop after the other, and see who is still there;
/// in a few rooms, the staff talk to each other.
///
/// Rebuilt from concurrent-programming-in-scala/learning-examples#29. A dictionary had a subject
/// for each key ever requested, and kept it after the subscription: it grew without a bound.
extension Real {
  static let presence = Report("presence", "more and more memory") { version in
    let server = Server()
    let chat = Chat(server, version)
    for round in 1...40 {
      if round % 10 == 1 { Trace.mark("shift \(round / 10)") }
      let talk = chat.open("visitor \(round)")
      server.visitors.update("visitor \(round)", "reads")
      await pause(40)
      server.visitors.update("visitor \(round)", "writes")
      server.rooms.update("room \(round % 4)", "message \(round)")
      await pause(40)
      talk.close()
    }
    print(
      "presence: \(server.visitors.size) visitors and \(server.rooms.size) rooms are kept,",
      "\(chat.shown.value) changes were shown"
    )
    return [server, chat] as [Any]
  }
}

/// Keeps the latest value for each key.
private final class Directory<Value: Sendable>: Sendable {
  private let subjects = Mutex<[String: ReplaySubject<Value, Never>]>([:])
  private let name: String

  init(_ name: String) { self.name = name }

  var size: Int { subjects.withLock { $0.count } }

  /// The latest value of a key and its changes.
  func watch(_ key: String) -> Signal<Value, Never> { subject(key).signal }

  /// Notifies only the subscribers of that key.
  func update(_ key: String, _ value: Value) {
    subjects.withLock { $0[key] }?.send(value)
  }

  func forget(_ key: String) {
    let gone = subjects.withLock { $0.removeValue(forKey: key) }
    gone?.complete()
  }

  private func subject(_ key: String) -> ReplaySubject<Value, Never> {
    subjects.withLock { subjects in
      if let known = subjects[key] { return known }
      let new = ReplaySubject<Value, Never>(capacity: 1, name)  // blame, too
      subjects[key] = new  // blame, too
      return new
    }
  }
}

private final class Server: Sendable {
  let visitors = Directory<String>("visitor")
  let rooms = Directory<String>("room")
}

@MainActor
private final class Chat {
  let shown = Counter()
  private let server: Server
  private let version: Version
  private let status = MutableProperty("", "status")
  private let unread = MutableProperty(0, "unread")
  private let bag = DisposableBag()

  init(_ server: Server, _ version: Version) {
    self.server = server
    self.version = version
    let rooms = (0..<4).map { server.rooms.watch("room \($0)") }
    Signal.merge(rooms)
      .subscribe { [unread] _ in unread.modify { $0 += 1 } }
      .store(in: bag)
    Signal.interval(.milliseconds(300), on: .main)
      .withLatest(from: unread.signal)
      .map { "\($1) unread" }
      .bind(to: status)
      .store(in: bag)
  }

  func open(_ visitor: String) -> Talk {
    let seen = server.visitors.watch(visitor)  // blame
    let here =
      version == .fixed
      ? seen.doDisposed { [server] in server.visitors.forget(visitor) }
      : seen
    return Talk(here, server.rooms.watch("room 0"), shown)
  }
}

/// A conversation on the screen, and what colleagues say in the meantime.
@MainActor
private final class Talk {
  private let line = MutableProperty("", "line")
  private let whisper = MutableProperty("", "whisper")
  private let proposal = MutableProperty("", "proposal")
  private let bag = DisposableBag()

  init(_ presence: Signal<String, Never>, _ room: Signal<String, Never>, _ shown: Counter) {
    presence
      .doNext { _ in shown.add() }
      .map { "The visitor \($0)." }
      .bind(to: line)
      .store(in: bag)
    room.bind(to: whisper).store(in: bag)
    Signal.timer(after: .milliseconds(30), on: .main)
      .map { "How can I help?" }
      .bind(to: proposal)
      .store(in: bag)
  }

  func close() { bag.empty() }
}
