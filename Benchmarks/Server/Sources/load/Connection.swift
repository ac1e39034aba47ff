import CLoadShims
import Glibc
import Usage

/// A connection to the server that is kept open and has one request at a time.
final class Connection {
  /// The bytes of the answer that have arrived and have not been used.
  var received: [UInt8] = []
  /// Called when bytes have arrived.
  var onBytes: () -> Void = {}
  let descriptor: Int32

  init(_ port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { Arguments.fail("load: nobody answers at port \(port)") }
    var isOn: Int32 = 1
    let length = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, length)
  }

  /// Sends a request, which is short enough for the buffers of the system.
  func send(_ request: [UInt8]) {
    guard write(descriptor, request, request.count) == request.count else {
      Arguments.fail("load: a request could not be written")
    }
  }

  /// Reads the bytes that have arrived; returns false if the other side has closed the connection.
  func receive() -> Bool {
    let had = received.count
    received.reserveCapacity(had + 4096)
    let count = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16384) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { received.append(contentsOf: buffer[..<count]) }
      return count
    }
    return count > 0
  }

  /// Removes a complete answer from the received bytes, and returns its status and body; nil if no
  /// complete answer has arrived.
  func takeResponse() -> (status: Int, body: ArraySlice<UInt8>)? {
    guard let head = Response.head(of: received), received.count >= head.end + head.length else {
      return nil
    }
    let body = received[head.end..<head.end + head.length]
    received.removeFirst(head.end + head.length)
    return (head.status, body)
  }

  func close() { _ = Glibc.close(descriptor) }
}

/// The beginning of an answer, with its status and headers.
enum Response {
  /// The status, the length of the body and the index at which the body begins; nil if the head is
  /// incomplete.
  static func head(of bytes: [UInt8]) -> (status: Int, length: Int, end: Int)? {
    guard let end = end(of: bytes) else { return nil }
    let status = number(bytes[9..<12])
    let name = Array("content-length: ".utf8)
    var length = 0
    var start = 0
    for index in 0..<end where bytes[index] == UInt8(ascii: "\n") {
      let line = bytes[start..<index]
      if line.count > name.count, zip(line, name).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) {
        length = number(line.dropFirst(name.count).prefix { $0 != UInt8(ascii: "\r") })
      }
      start = index + 1
    }
    return (status, length, end)
  }

  /// The index after the empty line that ends the head; nil if there is none yet.
  private static func end(of bytes: [UInt8]) -> Int? {
    guard bytes.count >= 16 else { return nil }
    for index in 3..<bytes.count
    where bytes[index] == 10 && bytes[index - 1] == 13 && bytes[index - 2] == 10 {
      return index + 1
    }
    return nil
  }

  static func number(_ digits: some Sequence<UInt8>) -> Int {
    digits.reduce(0) { $0 * 10 + Int($1) - Int(UInt8(ascii: "0")) }
  }
}

/// Waits for bytes on many connections.
enum Poll {
  /// Waits until bytes arrive or the given time has come, but at most a second, and reads the
  /// bytes.
  static func wait(_ connections: [Connection], until time: Int) {
    var sets = connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    let left = min(max(0, time - Monotonic.now), 1_000_000_000)
    guard load_poll(&sets, UInt(sets.count), left) > 0 else { return }
    for (connection, set) in zip(connections, sets) where set.revents != 0 {
      guard connection.receive() else { Arguments.fail("load: the server has closed a connection") }
      connection.onBytes()
    }
  }
}
