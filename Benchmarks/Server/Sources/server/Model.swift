import Hummingbird

/// The price of a symbol at a moment.
struct Quote: Sendable, Equatable {
  let symbol: Int
  /// The price in cents.
  var price: Int
  /// The number of earlier quotes of the symbol.
  var number: Int

  /// The number of symbols.
  static let symbolCount = 16

  /// The next quote of the symbol, which is the same in each run.
  func next() -> Quote {
    var quote = self
    quote.number += 1
    quote.price = max(100, price + quote.number &* 7919 % 11 - 5)
    return quote
  }

  static func first(of symbol: Int) -> Quote {
    Quote(symbol: symbol, price: 10_000 + symbol * 250, number: 0)
  }
}

/// The parameters of `GET /quote`.
struct QuoteQuery: Sendable {
  let symbol: Int
  let quantity: Int
  let account: Int
}

struct QuoteAnswer: Sendable, ResponseCodable {
  let symbol: String
  let price: Int
  let discount: Int
  let total: Int
  let isFirm: Bool
}

struct Holding: Sendable {
  let symbol: Int
  let count: Int
}

struct PortfolioAnswer: Sendable, ResponseCodable {
  let account: Int
  let value: Int
  let positions: Int
}

/// The body of `POST /orders`.
struct Order: Sendable, Decodable {
  let account: Int
  let symbol: String
  let side: String
  let quantity: Int
}

struct Fill: Sendable, ResponseCodable {
  let account: Int
  let symbol: String
  let price: Int
  let quantity: Int
}

enum ServiceError: Error, Equatable {
  case unknown
  case unavailable
  case late
  case refused
}

extension ServiceError: HTTPResponseError {
  var status: HTTPResponse.Status {
    switch self {
    case .unknown: .notFound
    case .unavailable: .serviceUnavailable
    case .late: .gatewayTimeout
    case .refused: .conflict
    }
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    Response(status: status)
  }
}

/// The service that answers requests.
///
/// One implementation uses signals, and the other does not.
protocol Service: Sendable {
  associatedtype Events: AsyncSequence & Sendable where Events.Element == String

  /// Starts the market, with this number of milliseconds between two ticks.
  init(tick: Int)

  func quote(_ query: QuoteQuery) async throws -> QuoteAnswer
  func portfolio(of account: Int) async throws -> PortfolioAnswer
  func place(_ order: Order) async throws -> Fill
  /// Server-sent events with the price of a symbol, at most one every 50 ms.
  func events(of symbol: Int) -> Events
}
