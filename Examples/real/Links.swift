import Reactive
import Synchronization

/// A chat program with three links to a server, which are opened again when they break.
///
/// Rebuilt from ReactiveX/RxSwift#2298. A sequence that sends one value and fails was retried
/// without a limit: it restarted as fast as it could, and could not be stopped.
extension Real {
  static let links = Report("links", "one link keeps the processor busy") { version in
    let server = ChatServer()
    let client = ChatClient(server, version)
    await pause(900)
    server.isUp.value = false
    await pause(1500)
    server.isUp.value = true
    await pause(900)
    let opened = server.opened.withLock { $0 }
    let text = opened.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    print("opened: \(text.joined(separator: ", ")); \(client.read.count) messages")
    return (server, client)
  }
}

/// Why a link breaks.
private struct LinkBroken: Error {}

/// Accepts links while it is up; otherwise a link sends a greeting and breaks.
private final class ChatServer: Sendable {
  let isUp = MutableProperty(true, "is up")
  let opened = Mutex<[String: Int]>([:])
  private let queue = QueueScheduler(label: "chat server")

  func link(_ name: String) -> Signal<String, LinkBroken> {
    .deferred { [self] in
      opened.withLock { $0[name, default: 0] += 1 }
      let state = isUp.signal.delay(.milliseconds(1), on: queue).distinctUntilChanged()
      return state.flatMapLatest { [queue] isUp -> Signal<String, LinkBroken> in
        guard isUp else { return .failed(LinkBroken()) }
        return Signal.interval(.milliseconds(70), on: queue).map { "\(name) \($0)" }.mapFailure()
      }
      .startWith("\(name) hello")
    }
  }
}

extension Signal where Failure == Never {
  /// Gives the signal the failure type of a link.
  fileprivate func mapFailure() -> Signal<Value, LinkBroken> { flatMap { .just($0) } }
}

/// Listens to the links.
private final class ChatClient: Sendable {
  let read = Tally()
  private let last = MutableProperty("", "last")
  private let bag = DisposableBag()

  init(_ server: ChatServer, _ version: Version) {
    let pause = Duration.milliseconds(250)
    listen(server.link("chat").retry(delay: pause, on: .main))
    listen(server.link("presence").retry(delay: pause, on: .main))
    if version == .fixed {
      listen(server.link("feed").retry(delay: pause, on: .main))
    } else {
      listen(server.link("feed").retry())  // blame
    }
    server.isUp.signal.map { $0 ? "up" : "down" }.subscribe { [last] in last.value = $0 }
      .store(in: bag)
  }

  /// Reads what a link sends.
  private func listen(_ link: Signal<String, LinkBroken>) {
    link.deliver(on: .ui)
      .subscribe(
        next: { [read, last] message in
          read.add()
          last.value = message
        },
        failed: { [last] _ in last.value = "broken" }
      )
      .store(in: bag)
  }
}

/// A thread-safe counter.
private final class Tally: Sendable {
  private let total = Atomic(0)
  var count: Int { total.load(ordering: .relaxed) }
  func add() { total.add(1, ordering: .relaxed) }
}
