import Usage

/// Connections that each send one request at a time, either as soon as possible or at a fixed rate.
final class LoadConnections {
  private(set) var connections: [Connection] = []
  private(set) var answered = 0
  /// The number of answers with a status other than 200.
  private(set) var failures = 0
  private var sentCount = 0
  private let requests: Int
  private let begin: Int
  /// The nanoseconds between two requests; nil if they are sent as fast as possible.
  private let interval: Int?
  private var idle: [Int] = []
  private var due: [Int]
  private var latencies: [Int] = []

  init(_ port: UInt16, connections count: Int, requests: Int, rate: Int?) {
    self.requests = requests
    interval = rate.map { 1_000_000_000 / $0 }
    due = Array(repeating: 0, count: count)
    latencies.reserveCapacity(requests)
    connections = (0..<count).map { _ in Connection(port) }
    idle = Array((0..<count).reversed())
    begin = Monotonic.now
    for (index, connection) in connections.enumerated() {
      connection.onBytes = { [unowned self] in take(index) }
    }
  }

  var isDone: Bool { answered == requests }

  /// The time at which the next request is due; nil if it has to wait for an answer, or is sent as
  /// soon as a connection is free.
  var nextDue: Int? {
    guard let interval, sentCount < requests, !idle.isEmpty else { return nil }
    return begin + sentCount * interval
  }

  /// Sends the requests that are due, as long as connections are free.
  ///
  /// If a request has to wait for a connection, its latency counts from the time at which it was
  /// due.
  func sendDueRequests() {
    while sentCount < requests, let index = idle.last {
      let time = interval.map { begin + sentCount * $0 } ?? Monotonic.now
      if interval != nil, time > Monotonic.now { return }
      idle.removeLast()
      due[index] = time
      connections[index].send(Request.bytes(sentCount))
      sentCount += 1
    }
  }

  private func take(_ index: Int) {
    guard let answer = connections[index].takeResponse() else { return }
    latencies.append(Monotonic.now - due[index])
    answered += 1
    failures += answer.status == 200 ? 0 : 1
    idle.append(index)
  }

  /// The nanoseconds within which the given percentage of requests was answered.
  func latency(_ percent: Int) -> Int {
    guard !latencies.isEmpty else { return 0 }
    return latencies.sorted()[min(latencies.count - 1, latencies.count * percent / 100)]
  }
}

/// The requests, in the same order each time: of every ten, six are for quotes, two for portfolios,
/// and two are orders.
enum Request {
  static func bytes(_ number: Int) -> [UInt8] {
    let (symbol, account, count) = (number &* 7 % 16, number &* 13 % 500, number % 90 + 1)
    switch number % 10 {
    case 0..<6: return get("/quote?symbol=S\(symbol)&quantity=\(count)&account=\(account)")
    case 6..<8: return get("/portfolio?account=\(account)")
    default:
      let body =
        #"{"account":\#(account),"symbol":"S\#(symbol)","side":"buy","quantity":\#(count)}"#
      return Array(
        """
        POST /orders HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r
        Content-Length: \(body.utf8.count)\r\n\r\n\(body)
        """.utf8
      )
    }
  }

  static func get(_ path: String) -> [UInt8] {
    Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
  }
}

/// The resources that the server says it has used so far.
struct ServerUsage {
  let processorTime: Int
  let peakResident: Int

  init(_ port: UInt16) {
    let connection = Connection(port)
    connection.send(Request.get("/usage"))
    while true {
      guard connection.receive() else { Arguments.fail("load: the server does not tell its usage") }
      guard let answer = connection.takeResponse() else { continue }
      connection.close()
      // The body is two numbers with a space between them.
      let numbers = answer.body.split(separator: UInt8(ascii: " ")).map { Response.number($0) }
      guard numbers.count == 2 else { Arguments.fail("load: the server does not tell its usage") }
      (processorTime, peakResident) = (numbers[0], numbers[1])
      return
    }
  }
}
