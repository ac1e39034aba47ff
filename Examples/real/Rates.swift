import Reactive
import ReactiveTrace
import Synchronization

/// A board in a bank that polls a server for rates, weather and news.
///
/// Rebuilt from ReactiveX/RxSwift#562. After the server had refused one request, users saw a
/// default value, and the rates did not change any more.
extension Real {
  static let rates = Report("rates", "no updates after a refusal") { version in
    let server = RateServer()
    let board = Board(server, version)
    for _ in 1...5 {
      await pause(1000)
      Trace.mark("second")
    }
    let shown = board.shown.withLock { $0 }
    print("rates \(shown["rates", default: 0]), weather \(shown["weather", default: 0]) updates")
    return (server, board)
  }
}

/// The server is busy.
private struct Refusal: Error {}

/// Answers after a while, each seventh time with a refusal.
private final class RateServer: Sendable {
  private let asked = Mutex<[String: Int]>([:])
  private let queue = QueueScheduler(label: "server")

  func ask(_ path: String) -> Signal<String, Refusal> {
    Signal.timer(after: .milliseconds(30), on: queue)
      .tryMap { [self] _ throws(Refusal) in
        let number = asked.withLock { asked in
          asked[path, default: 0] += 1
          return asked[path, default: 0]
        }
        if number.isMultiple(of: 7) { throw Refusal() }
        return "\(path) \(number)"
      }
  }
}

/// Shows the answers.
private final class Board: Sendable {
  let shown = Mutex<[String: Int]>([:])
  private let bag = DisposableBag()
  private let clock = MutableProperty(0, "clock")

  init(_ server: RateServer, _ version: Version) {
    show(
      "weather",
      poll(.milliseconds(250)) { server.ask("weather").replaceFailure(with: "no weather") }
    )
    show("news", poll(.milliseconds(400)) { server.ask("news").replaceFailure(with: "no news") })
    if version == .fixed {
      show("rates", poll(.milliseconds(150)) { server.ask("rates").replaceFailure(with: "-") })
    } else {
      let rates = poll(.milliseconds(150)) { server.ask("rates") }  // blame, too
      show("rates", rates.replaceFailure(with: "-"))  // blame
    }
    Signal.interval(.milliseconds(200), on: .main).bind(to: clock).store(in: bag)
    show("minutes", clock.signal.map { "\($0 / 5)" }.distinctUntilChanged())
  }

  /// Makes a request at an interval.
  private func poll<Failure: Error>(
    _ interval: Duration,
    _ request: @escaping @Sendable () -> Signal<String, Failure>
  ) -> Signal<String, Failure> {
    Signal<Int, Never>.interval(interval, on: .main).flatMapLatest { _ in request() }
  }

  private func show(_ place: String, _ texts: Signal<String, Never>) {
    texts.deliver(on: .ui)
      .subscribe(with: self) { board, _ in
        board.shown.withLock { $0[place, default: 0] += 1 }
      }
      .store(in: bag)
  }
}
