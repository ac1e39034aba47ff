import Dispatch

/// Who holds what: a service of its own, which is asked asynchronously, and is not there once in fifty times.
actor Accounts {
  private var calls = 0

  /// The discount of an account, in hundredths of a percent.
  func discount(of account: Int) throws(ServiceError) -> Int {
    try answer()
    return account % 7 * 10
  }

  func holdings(of account: Int) throws(ServiceError) -> [Holding] {
    try answer()
    return (1...4).map { Holding(symbol: (account + $0 * 3) % Quote.symbolCount, count: $0 * 10) }
  }

  private func answer() throws(ServiceError) {
    calls += 1
    if calls % 50 == 0 { throw .unavailable }
  }
}

/// Whether an order may be filled: asked with a callback, which comes on a queue of its own.
final class Risk: Sendable {
  private let queue = DispatchQueue(label: "risk")

  /// Calls back with how much may be bought.
  func check(
    _ order: Order,
    _ callback: @escaping @Sendable (Result<Int, ServiceError>) -> Void
  ) {
    queue.async { callback(order.account < 0 ? .failure(.refused) : .success(1_000_000)) }
  }
}
