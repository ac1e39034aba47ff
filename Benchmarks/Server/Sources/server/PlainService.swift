import Synchronization

/// The service with async functions and locks, as it would be written without the library.
final class PlainService: Service {
  private let market: PlainMarket
  private let accounts = Accounts()
  private let risk = RiskCheck()
  private let filled = OrderCounter()

  init(tick: Int) { market = PlainMarket(tick: tick) }

  func quote(_ query: QuoteQuery) async throws -> QuoteAnswer {
    guard query.quantity > 0 else { throw ServiceError.refused }
    let quote = market.quote(of: query.symbol)
    var (discount, isFirm) = (0, true)
    do {
      discount = try await within(.seconds(1)) { [accounts] in
        try await retrying { try await accounts.discount(of: query.account) }
      }
    } catch ServiceError.late {
      isFirm = false
    }
    return Pricing.answer(query, quote, discount, market.fee, isFirm: isFirm)
  }

  func portfolio(of account: Int) async throws -> PortfolioAnswer {
    let holdings = try await within(.seconds(1)) { [accounts] in
      try await retrying { try await accounts.holdings(of: account) }
    }
    let quotes = market.quotes(of: holdings.map(\.symbol))
    let values = zip(quotes, holdings).map { $0.price * $1.count }
    return PortfolioAnswer(
      account: account,
      value: values.reduce(0, +) - market.fee * values.count,
      positions: values.count
    )
  }

  func place(_ order: Order) async throws -> Fill {
    guard let symbol = Quote.symbol(named: order.symbol) else { throw ServiceError.unknown }
    guard order.quantity > 0, market.isOpen.load(ordering: .relaxed) else {
      throw ServiceError.refused
    }
    let limit = try await within(.seconds(1)) { [risk] in
      try await withCheckedThrowingContinuation { continuation in
        risk.check(order) { continuation.resume(with: $0) }
      }
    }
    let quote = market.quote(of: symbol)
    guard quote.price * order.quantity <= limit * 100 else { throw ServiceError.refused }
    filled.add()
    return Fill(
      account: order.account,
      symbol: order.symbol,
      price: quote.price,
      quantity: order.quantity
    )
  }

  func events(of symbol: Int) -> AsyncStream<String> { market.events(of: symbol) }
}

/// Runs an asynchronous function again, once, if it fails.
private func retrying<Value: Sendable>(
  _ body: @Sendable () async throws -> Value
) async throws -> Value {
  do { return try await body() } catch { return try await body() }
}

/// Fails with `late` if an asynchronous function takes too long.
private func within<Value: Sendable>(
  _ time: Duration,
  _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    group.addTask(operation: body)
    group.addTask {
      try await Task.sleep(for: time)
      throw ServiceError.late
    }
    defer { group.cancelAll() }
    guard let value = try await group.next() else { throw ServiceError.late }
    return value
  }
}
