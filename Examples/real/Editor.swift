import Reactive
import ReactiveTrace
import Synchronization

/// An editor of workflows: while a workflow is open, a socket of the server reports its progress.
///
/// Rebuilt from apache/texera#4376. The handler of the socket's messages was added for each
/// workflow that was opened, and remained when the workflow was closed: after some changes of
/// workflow, each message was handled several times, and memory grew.
extension Real {
  static let editor = Report("editor", "handled again and again") { version in
    let server = Server()
    let connection = Connection(server, version)
    let canvas = Canvas(connection)
    for round in 1...6 {
      connection.open("workflow \(round)")
      canvas.show("workflow \(round)")
      await pause(300)
      canvas.edit("operator \(round)")
      await pause(120)
      connection.close()
      canvas.hide()
      Trace.mark("workflow \(round)")
      await pause(60)
    }
    connection.open("workflow 7")
    await pause(100)
    let before = connection.handled.value
    server.announce(workers: 12)
    await pause(150)
    let times = connection.handled.value - before
    print("editor: how often one message of the server was handled: \(times)")
    return [server, connection, canvas] as [Any]
  }
}

private enum Message: Sendable {
  case workers(Int)
  case progress(String, Int)
  case result(String)
}

/// Runs workflows, and sends messages to connected sockets.
private final class Server: Sendable {
  private let queue = QueueScheduler(label: "server")
  private let announcements = Subject<Message, Never>("announcements")

  func announce(workers: Int) { announcements.send(.workers(workers)) }

  func socket(for workflow: String) -> Signal<Message, Never> {
    let progress = Signal.interval(.milliseconds(80), on: queue)
      .map { Message.progress(workflow, $0 * 10) }
      .take(3)
      .append(.just(.result("\(workflow) is done")))
    return merge(progress, announcements.signal).deliver(on: .main)
  }
}

private final class Connection: Sendable {
  let workers = MutableProperty(0, "workers")
  let isConnected = MutableProperty(false, "is connected")
  let handled = Counter()
  private let messages = Subject<Message, Never>("messages")
  private let log = Mutex<[String]>([])
  private let server: Server
  private let version: Version
  /// Subscriptions that last until the workflow is closed.
  private let session = DisposableBag()

  init(_ server: Server, _ version: Version) {
    self.server = server
    self.version = version
    results().subscribe { [weak self] text in self?.log.withLock { $0.append(text) } }
  }

  func open(_ workflow: String) {
    let status = messages.signal.subscribe { [weak self] in self?.take($0) }  // blame
    if version == .fixed { status.store(in: session) }
    server.socket(for: workflow)
      .subscribe { [weak self] in self?.messages.send($0) }
      .store(in: session)
    progress()
      .debounce(.milliseconds(50), on: .main)
      .subscribe()
      .store(in: session)
  }

  func close() {
    session.empty()
    isConnected.value = false
  }

  func results() -> Signal<String, Never> {
    of { if case .result(let text) = $0 { text } else { nil } }
  }

  func progress() -> Signal<Int, Never> {
    of { if case .progress(_, let percent) = $0 { percent } else { nil } }
  }

  /// The messages of one kind.
  private func of<Content: Sendable>(
    _ pick: @escaping @Sendable (Message) -> Content?
  ) -> Signal<Content, Never> {
    messages.signal.compactMap(pick)
  }

  private func take(_ message: Message) {
    if case .workers(let count) = message {
      handled.add()
      workers.value = count
    }
    if !isConnected.value { isConnected.value = true }
  }
}

/// The view of the open workflow.
private final class Canvas: Sendable {
  private let connection: Connection
  private let operators = MutableProperty<[String]>([], "operators")
  private let bar = MutableProperty(0, "bar")
  private let drawn = Counter()
  private let visible = DisposableBag()

  init(_ connection: Connection) {
    self.connection = connection
    operators.signal.map(\.count).distinctUntilChanged().subscribe { [drawn] _ in drawn.add() }
    connection.isConnected.signal.distinctUntilChanged().subscribe { [drawn] _ in drawn.add() }
  }

  func show(_ workflow: String) {
    connection.progress().bind(to: bar).store(in: visible)
    connection.results()
      .withLatest(from: operators.signal)
      .subscribe { [drawn] _, _ in drawn.add() }
      .store(in: visible)
    combineLatest(connection.workers.signal, operators.signal) { "\($0) for \($1.count)" }
      .subscribe { [drawn] _ in drawn.add() }
      .store(in: visible)
  }

  func edit(_ name: String) { operators.modify { $0.append(name) } }

  func hide() { visible.empty() }
}
