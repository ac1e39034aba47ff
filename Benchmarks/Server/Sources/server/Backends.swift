import Dispatch

/// The accounts and their holdings: an asynchronous service that fails in one of fifty calls.
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

/// Decides whether an order may be filled.
///
/// The answer is a callback on the queue of the risk check.
final class RiskCheck: Sendable {
  private let queue = DispatchQueue(label: "risk")

  /// Calls back with the quantity that may be bought.
  func check(_ order: Order, _ callback: @escaping @Sendable (Result<Int, ServiceError>) -> Void) {
    queue.async { callback(order.account < 0 ? .failure(.refused) : .success(1_000_000)) }
  }
}
