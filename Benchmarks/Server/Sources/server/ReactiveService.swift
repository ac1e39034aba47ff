import Reactive

/// The service with signals, as it would be written with the library.
final class ReactiveService: Service {
  private let market: ReactiveMarket
  private let accounts = Accounts()
  private let risk = RiskCheck()
  private let filled = MutableProperty(0, "filled")
  private let timers = QueueScheduler(label: "timers")
  private let desk = QueueScheduler(label: "desk")
  private let feed = QueueScheduler(label: "feed")

  init(tick: Int) { market = ReactiveMarket(tick: tick, feed: feed) }

  func quote(_ query: QuoteQuery) async throws -> QuoteAnswer {
    let discount = Signal<Int, ServiceError>
      .task { [accounts] () throws(ServiceError) in
        try await accounts.discount(of: query.account)
      }
      .retry(1)
      .map { (rate: $0, isFirm: true) }
      .timeout(after: .seconds(1), on: timers, failingWith: .late)
      .catch { error in
        error == .late ? .just((rate: 0, isFirm: false)) : Signal<_, ServiceError>.failed(error)
      }

    let answer = Signal<QuoteQuery, ServiceError>.just(query)
      .filter { $0.quantity > 0 }
      .withLatest(from: market.quotes[query.symbol].signal)
      .flatMap { query, quote in discount.map { (query, quote, $0) } }
      .combineLatest(with: market.fee.signal)
      .map { found, fee in
        let (query, quote, discount) = found
        return Pricing.answer(query, quote, discount.rate, fee, isFirm: discount.isFirm)
      }
    guard let answer = try await answer.first() else { throw ServiceError.refused }
    return answer
  }

  func portfolio(of account: Int) async throws -> PortfolioAnswer {
    let answer = Signal<[Holding], ServiceError>
      .task { [accounts] () throws(ServiceError) in try await accounts.holdings(of: account) }
      .retry(1)
      .timeout(after: .seconds(1), on: timers, failingWith: .late)
      .flatMap { [market] in Self.values(of: $0, in: market) }
      .combineLatest(with: market.fee.signal)
      .map { values, fee in
        PortfolioAnswer(
          account: account,
          value: values.reduce(0, +) - fee * values.count,
          positions: values.count
        )
      }
      .distinctUntilChanged { $0.value == $1.value }
    guard let answer = try await answer.first() else { throw ServiceError.unavailable }
    return answer
  }

  /// The value of each holding, whenever a price changes.
  private static func values(
    of holdings: [Holding],
    in market: ReactiveMarket
  ) -> Signal<[Int], Never> {
    let values = holdings.map { holding in
      market.quotes[holding.symbol].signal.map { $0.price * holding.count }
    }
    return combineLatest(values)
  }

  func place(_ order: Order) async throws -> Fill {
    guard let symbol = Quote.symbol(named: order.symbol) else { throw ServiceError.unknown }
    let place = Action<Order, Fill, ServiceError>(enabledIf: market.isOpen.signal, on: desk) {
      [market, risk, timers, filled] order in
      Signal<Order, ServiceError>.just(order)
        .filter { $0.quantity > 0 }
        .flatMap { order in
          Signal<Int, ServiceError>.fromCallback { risk.check(order, $0) }
        }
        .withLatest(from: market.quotes[symbol].signal)
        .filter { limit, quote in quote.price * order.quantity <= limit * 100 }
        .map { _, quote in
          Fill(
            account: order.account,
            symbol: order.symbol,
            price: quote.price,
            quantity: order.quantity
          )
        }
        .timeout(after: .seconds(1), on: timers, failingWith: .late)
        .doNext { _ in filled.modify { $0 += 1 } }
    }
    defer { withExtendedLifetime(place) {} }
    let fill = try await place.apply(order).mapFailure { $0.failure ?? .refused }.first()
    guard let fill else { throw ServiceError.refused }
    return fill
  }

  func events(of symbol: Int) -> SignalValues<String, Never> {
    market.feeds[symbol]
      .enumerated()
      .map { Pricing.event($0, $1) }
      .deliver(on: feed)
      .values(buffering: .newest(16))
  }
}
