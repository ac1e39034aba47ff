import Reactive
import ReactiveTrace
import Synchronization

/// A trading desk: it polls the chosen share's quote, news, the balance and the market's state.
///
/// Rebuilt from Kotlin/kotlinx.coroutines#2639. Each new choice started to poll, and no earlier
/// poll stopped: users saw quotes of shares they had left, and traffic grew by the hour.
extension Real {
  static let quotes = Report("quotes", "more and more requests") { version in
    let exchange = Exchange()
    let desk = Desk(exchange, version)
    for (round, share) in ["steel", "grain", "water", "paper", "glass", "cloth"].enumerated() {
      Trace.mark("round \(round + 1)")
      desk.choose(share)
      await pause(800)
    }
    let quotes = exchange.count("quote")
    let last = exchange.count("quote cloth")
    print("quotes: \(quotes) asked for, of which \(last) of the last choice")
    return [exchange, desk]
  }
}

/// Answers requests, and counts them by topic.
private final class Exchange: Sendable {
  private let asked = Mutex<[String: Int]>([:])

  func ask(_ topic: String) -> Int {
    asked.withLock { asked in
      asked[topic, default: 0] += 1
      return asked[topic, default: 0]
    }
  }

  func count(_ prefix: String) -> Int {
    asked.withLock { $0.filter { $0.key.hasPrefix(prefix) }.map(\.value).reduce(0, +) }
  }
}

private final class Desk: Sendable {
  private let chosen = Subject<String, Never>("chosen")
  private let exchange: Exchange
  private let network = QueueScheduler(label: "network")
  private let bag = DisposableBag()
  private let lines = Mutex<[String: String]>([:])

  init(_ exchange: Exchange, _ version: Version) {
    self.exchange = exchange
    let poll: @Sendable (String, Int) -> Signal<String, Never> = { [network] topic, milliseconds in
      Signal.interval(.milliseconds(milliseconds), on: network)
        .map { _ in "\(topic): \(exchange.ask(topic))" }
    }

    show("news", poll("news", 700))
    show("balance", poll("balance", 500).distinctUntilChanged())
    show("market", poll("market", 300).map { "open, \($0)" })
    show("hint", chosen.signal.map { "loading \($0)" })
    show("first", chosen.signal.take(1).flatMap { poll("name \($0)", 100).take(1) })
    // Both depots are polled all the time.
    show("depots", Signal.from(["depot a", "depot b"]).flatMap { poll($0, 900) })

    let choices = chosen.signal.distinctUntilChanged()
    if version == .fixed {
      show("quote", choices.flatMapLatest { poll("quote \($0)", 200) })
    } else {
      show("quote", choices.flatMap { poll("quote \($0)", 200) })  // blame
    }
  }

  func choose(_ share: String) { chosen.send(share) }

  private func show(_ line: String, _ texts: Signal<String, Never>) {
    texts.deliver(on: .main).subscribe { [weak self] text in
      self?.lines.withLock { $0[line] = text }
    }
    .store(in: bag)
  }
}
