import Reactive
import Synchronization

/// A chat client: a connection to a room, and a screen with its members, messages and notices.
///
/// Rebuilt from Kotlin/kotlinx.coroutines#2354. Values that were sent before the screen subscribed
/// were lost: users missed the first notices of every room, and saw only later ones.
extension Real {
  static let lobby = Report("lobby", "the first notices are missing") { version in
    let connection = Connection()
    let screen = Screen(connection)
    if version == .fixed { screen.showNotices() }
    screen.showMembers()
    connection.open()
    await pause(400)
    screen.showMessages()
    if version == .reported { screen.showNotices() }
    for second in 1...4 {
      await pause(700)
      connection.receive("message \(second)")
      if second.isMultiple(of: 2) { connection.announce("notice \(second)") }
    }
    connection.goQuiet()
    await pause(300)
    print("notices: shown \(screen.count("notice")) of \(connection.noticesSent)")
    return [connection, screen]
  }
}

/// The signals that come from the server.
private final class Connection: Sendable {
  let members = BehaviorSubject<Int, Never>(0, "members")
  let messages = Subject<String, Never>("messages")
  let notices = Subject<String, Never>("notices")  // blame, too
  let pings = Subject<Int, Never>("pings")
  private let line = QueueScheduler(label: "line")
  private let beat = SerialDisposable()
  private let sent = Mutex(0)

  var noticesSent: Int { sent.withLock { $0 } }

  /// Joins the room; the server greets everyone who joins.
  func open() {
    members.send(3)
    for text in ["welcome", "rules of the house", "two are away"] { announce(text) }
    beat.inner = Signal.interval(.milliseconds(200), on: line).subscribe(pings)
  }

  func receive(_ text: String) {
    messages.send(text)
    members.send(members.value + 1)
  }

  func announce(_ text: String) {
    sent.withLock { $0 += 1 }
    notices.send(text)
  }

  func goQuiet() {
    beat.dispose()
    notices.complete()
  }
}

/// Counts what it draws.
private final class Screen: Sendable {
  private let connection: Connection
  private let bag = DisposableBag()
  private let drawn = Mutex<[String: Int]>([:])

  init(_ connection: Connection) {
    self.connection = connection
    observe(connection.pings.signal) { $0.draw("ping") }
  }

  func count(_ part: String) -> Int { drawn.withLock { $0[part, default: 0] } }

  func showMembers() { observe(connection.members.signal) { $0.draw("members") } }

  func showMessages() { observe(connection.messages.signal) { $0.draw("message") } }

  func showNotices() {
    observe(connection.notices.signal) { $0.draw("notice") }  // blame
  }

  private func observe<Value>(
    _ signal: Signal<Value, Never>,
    _ show: @escaping @Sendable (Screen) -> Void
  ) {
    signal.subscribe(with: self) { screen, _ in show(screen) }.store(in: bag)
  }

  private func draw(_ part: String) { drawn.withLock { $0[part, default: 0] += 1 } }
}
