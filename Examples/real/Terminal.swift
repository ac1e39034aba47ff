import Reactive
import ReactiveTrace
import Synchronization

/// A command line for talking to servers: the stream of an answer is decoded and printed, and
/// written to a log; the time it took is reported elsewhere.
///
/// Rebuilt from rsocket/rsocket-cli#62. The lines of an answer were not always printed in the order
/// in which they had arrived.
extension Real {
  static let terminal = Report("terminal", "lines in the wrong order") { version in
    let screen = Screen()
    let shell = Shell(screen, version)
    for number in 1...5 {
      shell.run(number)
      await pause(700)
      Trace.mark("request \(number)")
    }
    await pause(100)
    print("terminal: \(screen.count) lines, \(screen.disordered) of 5 answers in the wrong order")
    return [screen, shell]
  }
}

private struct Payload: Sendable {
  var request: Int
  var index: Int
  var isLarge: Bool { index.isMultiple(of: 3) }
}

/// The printed lines.
private final class Screen: Sendable {
  private let printed = Mutex<[(request: Int, index: Int)]>([])

  var count: Int { printed.withLock { $0.count } }

  /// The number of answers with lines in the wrong order.
  var disordered: Int {
    printed.withLock { lines in
      var wrong: Set<Int> = []
      var last: [Int: Int] = [:]
      for line in lines {
        if line.index < last[line.request, default: -1] { wrong.insert(line.request) }
        last[line.request] = max(line.index, last[line.request, default: -1])
      }
      return wrong.count
    }
  }

  func show(_ payload: Payload) {
    printed.withLock { $0.append((payload.request, payload.index)) }
  }
}

private final class Server: Sendable {
  private let queue = QueueScheduler(label: "server")

  func stream(_ request: Int) -> Signal<Payload, Never> {
    Signal.interval(.milliseconds(25), on: queue)
      .map { Payload(request: request, index: $0) }
      .take(9)
  }
}

private final class Shell: Sendable {
  private let server = Server()
  private let screen: Screen
  private let version: Version
  private let requests = Subject<Int, Never>("requests")
  private let payloads = Subject<Payload, Never>("payloads")
  private let delays = MutableProperty(0, "delays")
  private let queue = QueueScheduler(label: "codec")
  private let bag = DisposableBag()

  init(_ screen: Screen, _ version: Version) {
    self.screen = screen
    self.version = version
    requests.signal
      .flatMap { [server] in server.stream($0) }
      .subscribe { [payloads] in payloads.send($0) }
      .store(in: bag)
    let lines =
      version == .fixed
      ? payloads.signal.concatMap { [queue] in decode($0, on: queue) }
      : payloads.signal.flatMap { [queue] in decode($0, on: queue) }  // blame
    lines.deliver(on: .main).subscribe { screen.show($0) }.store(in: bag)
    payloads.signal
      .concatMap { [queue] in work(10, on: queue, $0.index) }
      .subscribe()
      .store(in: bag)
    payloads.signal
      .flatMap { [queue] in work($0.index.isMultiple(of: 2) ? 60 : 20, on: queue, 1) }
      .scan(0) { $0 + $1 }
      .bind(to: delays)
      .store(in: bag)
    Signal.interval(.milliseconds(350), on: queue)
      .flatMap { [queue] in work(25, on: queue, "ping \($0)") }
      .subscribe()
      .store(in: bag)
  }

  func run(_ number: Int) { requests.send(number) }
}

/// Sends a result after the given number of milliseconds.
private func work<Result: Sendable>(
  _ milliseconds: Int,
  on queue: QueueScheduler,
  _ result: Result
) -> Signal<Result, Never> {
  Signal.timer(after: .milliseconds(milliseconds), on: queue).map { _ in result }
}

private func decode(_ payload: Payload, on queue: QueueScheduler) -> Signal<Payload, Never> {
  work(payload.isLarge ? 120 : 15, on: queue, payload)
}
