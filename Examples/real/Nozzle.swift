import Reactive
import Synchronization

/// A small screen on a 3D printer: a socket brings temperatures, the job and log lines, and a page
/// that is opened starts with the latest values.
///
/// Rebuilt from UnchartedBull/OctoDash#2334 (its report is #2026). All messages of the socket were
/// kept for later subscribers: after some hours, the screen ran out of memory.
extension Real {
  static let nozzle = Report("nozzle", "no memory left") { version in
    let socket = Socket(version)
    let screen = Screen(socket)
    for round in 0..<4 {
      await pause(450)
      screen.close()
      await pause(150)
      socket.receive(.job("part \(round)"))
      screen.open(round.isMultiple(of: 2) ? .job : .control)
    }
    await pause(200)
    screen.close()
    socket.disconnect()
    await pause(100)
    let before = screen.drawn.value
    screen.open(.control)
    await pause(150)
    print("nozzle: temperatures drawn by a page as it was opened: \(screen.drawn.value - before)")
    return [socket, screen] as [Any]
  }
}

private enum Message: Sendable {
  case status(temperature: Int, fan: Int)
  case job(String)
  case line(String)
  case layer(Int)
}

/// Sorts the printer's messages by kind.
private final class Socket: Sendable {
  let status: ReplaySubject<[Int], Never>
  let layers = ReplaySubject<Int, Never>(capacity: 1, "layers")
  let lines = ReplaySubject<String, Never>(capacity: 20, "lines")
  /// All jobs since the printer was switched on: a handful a day.
  let jobs = ReplaySubject<String, Never>("jobs")
  private let messages = Subject<Message, Never>("messages")
  private let queue = QueueScheduler(label: "socket")
  private let bag = DisposableBag()
  private let connection = DisposableBag()

  init(_ version: Version) {
    if version == .fixed {
      status = ReplaySubject(capacity: 1, "status")
    } else {
      status = ReplaySubject("status")  // blame
    }
    forward(to: status) { message in
      guard case .status(let temperature, let fan) = message else { return nil }
      return [temperature, fan]
    }
    forward(to: layers) { if case .layer(let layer) = $0 { layer } else { nil } }
    forward(to: lines) { if case .line(let line) = $0 { line } else { nil } }
    forward(to: jobs) { if case .job(let job) = $0 { job } else { nil } }
    simulate(every: .milliseconds(8)) { .status(temperature: 200 + $0 % 9, fan: $0 % 100) }
    simulate(every: .milliseconds(12)) { .line("G1 X\($0 % 50)") }
    simulate(every: .milliseconds(90)) { .layer($0) }
  }

  func receive(_ message: Message) { messages.send(message) }

  func disconnect() { connection.empty() }

  private func simulate(
    every interval: Duration,
    _ make: @escaping @Sendable (Int) -> Message
  ) {
    Signal.interval(interval, on: queue)
      .subscribe { [messages] in messages.send(make($0)) }
      .store(in: connection)
  }

  /// Forwards the messages of one kind to a separate subject.
  private func forward<Value>(
    to subject: ReplaySubject<Value, Never>,
    _ pick: @escaping @Sendable (Message) -> Value?
  ) {
    messages.signal.compactMap(pick).subscribe { subject.send($0) }.store(in: bag)
  }
}

private enum Page { case control, job }

@MainActor
private final class Screen {
  let drawn = Counter()
  private let socket: Socket
  private let texts = Counter()
  private let whole = DisposableBag()
  private let page = DisposableBag()

  init(_ socket: Socket) {
    self.socket = socket
    show(socket.layers.signal.map { "layer \($0)" }, in: whole)
    show(socket.jobs.signal.scan(0) { count, _ in count + 1 }, in: whole)
    show(Signal.interval(.milliseconds(400), on: .main), in: whole)
  }

  func open(_ next: Page) {
    switch next {
    case .control:
      socket.status.signal
        .deliver(on: .main)
        .map { "\($0[0]) degrees" }
        .subscribe { [drawn] _ in drawn.add() }
        .store(in: page)
      show(socket.layers.signal, in: page)
    case .job:
      show(socket.jobs.signal, in: page)
      show(socket.lines.signal.throttle(.milliseconds(50), on: .main), in: page)
    }
  }

  func close() { page.empty() }

  private func show<Value: Sendable>(_ values: Signal<Value, Never>, in bag: DisposableBag) {
    values.deliver(on: .main).subscribe { [texts] _ in texts.add() }.store(in: bag)
  }
}
