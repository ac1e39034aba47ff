/// Connections that receive server-sent events.
final class EventListeners {
  private(set) var connections: [Connection] = []
  /// The number of events that all connections together have received.
  private(set) var events = 0
  private let wanted: Int

  init(_ port: UInt16, listeners: Int, events: Int) {
    wanted = listeners * events
    connections = (0..<listeners).map { _ in Connection(port) }
    for (index, connection) in connections.enumerated() {
      connection.send(Request.get("/stream?symbol=S\(index % 16)"))
      connection.onBytes = { [unowned self, unowned connection] in count(connection) }
    }
  }

  /// Whether the connections have received the requested number of events in total.
  var hasAllEvents: Bool { events >= wanted }

  func close() {
    for connection in connections { connection.close() }
  }

  /// Counts events: each ends with an empty line, and contains none.
  private func count(_ connection: Connection) {
    let bytes = connection.received
    var last = 0
    for index in bytes.indices.dropFirst()
    where bytes[index] == UInt8(ascii: "\n") && bytes[index - 1] == UInt8(ascii: "\n") {
      events += 1
      last = index + 1
    }
    connection.received.removeFirst(last)
  }
}
