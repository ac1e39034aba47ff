import Hummingbird
import NIOCore
import Synchronization
import Usage

/// The number of requests that have arrived, other than those for the usage.
final class Counter: Sendable {
  private let requests = Atomic(0)

  var count: Int { requests.load(ordering: .relaxed) }
  func add() { requests.add(1, ordering: .relaxed) }
}

/// Passes requests to a service and returns its answers, in the same way for both services.
struct Routes<Answering: Service> {
  let router: Router<BasicRequestContext>

  init(_ service: Answering, _ counter: Counter) {
    router = Router()
    router.get("usage") { _, _ in
      let used = Usage.now
      return "\(used.processorTime) \(used.peakResident)"
    }
    router.get("quote") { request, _ in
      counter.add()
      let query = QuoteQuery(
        symbol: try Self.symbol(request),
        quantity: try request.uri.queryParameters.require("quantity", as: Int.self),
        account: try request.uri.queryParameters.require("account", as: Int.self)
      )
      return try await service.quote(query)
    }
    router.get("portfolio") { request, _ in
      counter.add()
      let account = try request.uri.queryParameters.require("account", as: Int.self)
      return try await service.portfolio(of: account)
    }
    router.post("orders") { request, context in
      counter.add()
      return try await service.place(request.decode(as: Order.self, context: context))
    }
    router.get("stream") { request, _ in
      counter.add()
      let events = service.events(of: try Self.symbol(request))
      return Response(
        status: .ok,
        headers: [.contentType: "text/event-stream"],
        body: ResponseBody { writer in
          for try await event in events { try await writer.write(ByteBuffer(string: event)) }
          try await writer.finish(nil)
        }
      )
    }
  }

  private static func symbol(_ request: Request) throws -> Int {
    let name = try request.uri.queryParameters.require("symbol")
    guard let symbol = Quote.symbol(named: name) else { throw ServiceError.unknown }
    return symbol
  }
}

extension Quote {
  /// The number of a symbol, such as 3 for `S3`.
  static func symbol(named name: String) -> Int? {
    guard let number = Int(name.dropFirst()), (0..<symbolCount).contains(number) else { return nil }
    return number
  }
}
