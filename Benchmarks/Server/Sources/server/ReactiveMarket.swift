import Reactive

/// Prices that change, as properties.
final class ReactiveMarket: Sendable {
  let quotes: [MutableProperty<Quote>]
  /// The cost of a trade in cents.
  let fee = MutableProperty(495, "fee")
  let isOpen = MutableProperty(true, "isOpen")
  /// The prices of each symbol, at most one every 50 ms, shared by all listeners.
  let feeds: [Signal<Quote, Never>]

  private let clock = QueueScheduler(label: "market")
  private let bag = DisposableBag()

  init(tick: Int, feed: QueueScheduler) {
    let quotes = (0..<Quote.symbolCount).map { MutableProperty(Quote.first(of: $0), "quote") }
    self.quotes = quotes
    feeds = quotes.map { quote in
      quote.signal.throttle(.milliseconds(50), on: feed).share(replay: 1)
    }
    Signal<Int, Never>.interval(.milliseconds(tick), on: clock)
      .map { $0 % Quote.symbolCount }
      .subscribe { quotes[$0].value = quotes[$0].value.next() }
      .store(in: bag)
  }
}
