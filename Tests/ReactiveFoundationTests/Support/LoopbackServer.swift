import Dispatch
import Glibc
import Reactive

/// An HTTP server on a loopback port that the system chooses, with a thread for each connection.
final class LoopbackServer: Sendable {
  struct Request: Sendable {
    var method = ""
    var path = ""
    var headers: [String: String] = [:]
    var body: [UInt8] = []
  }

  enum Answer: Sendable {
    /// A response with a status and a body.
    case status(Int, String)
    /// No response: the connection is closed.
    case hangUp
    /// No response until the client closes the connection.
    case silence
  }

  let port: UInt16
  /// Signalled when a client has closed a connection that was waiting for a response.
  let hungUp = Latch()
  /// Signalled with each request.
  let asked = Latch()

  private let listener: Int32
  private let requests = Locked<[Request]>([])
  private let connections = Locked<Set<Int32>>([])
  private let threads = DispatchGroup()
  private let answer: @Sendable (Request) -> Answer

  /// The requests received so far.
  var log: [Request] { requests.withLock { $0 } }

  init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
    self.answer = answer
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw ServerFailure(code: errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard status else { throw ServerFailure(code: errno) }
    port = UInt16(bigEndian: address.sin_port)
    thread { [self] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        connections.withLock { _ = $0.insert(connection) }
        thread { [self] in
          while serve(connection) {}
          connections.withLock { _ = $0.remove(connection) }
          close(connection)
        }
      }
    }
  }

  func address(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Accepts no more connections, closes the open ones, and waits for all threads to end.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    // A client keeps its connection open for further requests, so the server has to close it.
    connections.withLock { for one in $0 { shutdown(one, Int32(SHUT_RDWR)) } }
    _ = threads.wait(timeout: .now() + .seconds(60))
    close(listener)
  }

  private func thread(_ body: @escaping @Sendable () -> Void) {
    threads.enter()
    let start = Unmanaged.passRetained(
      ThreadStart { [threads] in
        body()
        threads.leave()
      }
    )
    var thread = pthread_t()
    let status = pthread_create(
      &thread,
      nil,
      { pointer in
        if let pointer { Unmanaged<ThreadStart>.fromOpaque(pointer).takeRetainedValue().body() }
        return nil
      },
      start.toOpaque()
    )
    precondition(status == 0, "no thread could be made: error \(status)")
    pthread_detach(thread)
  }

  /// Answers one request; returns false when the connection has ended.
  private func serve(_ connection: Int32) -> Bool {
    guard let request = read(connection) else { return false }
    requests.withLock { $0.append(request) }
    asked.signal()
    switch answer(request) {
    case .hangUp: return false
    case .silence:
      var byte: UInt8 = 0
      while recv(connection, &byte, 1, 0) > 0 {}
      hungUp.signal()
      return false
    case .status(let status, let body):
      let text =
        "HTTP/1.1 \(status) Any\r\nContent-Length: \(body.utf8.count)\r\n"
        + "Content-Type: text/plain\r\n\r\n" + body
      return Array(text.utf8).withUnsafeBytes { bytes in
        var sent = 0
        while sent < bytes.count {
          let count = send(
            connection,
            bytes.baseAddress?.advanced(by: sent),
            bytes.count - sent,
            Int32(MSG_NOSIGNAL)
          )
          if count <= 0 { return false }
          sent += count
        }
        return true
      }
    }
  }

  private func read(_ connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var request = Request()
    var missing: Int?
    var buffer = [UInt8](repeating: 0, count: 4096)
    while missing != 0 {
      let count = recv(connection, &buffer, missing.map { min($0, 4096) } ?? 1, 0)
      if count <= 0 { return nil }
      if let still = missing {
        request.body += buffer[..<count]
        missing = still - count
        continue
      }
      bytes.append(buffer[0])
      if bytes.suffix(4) == [13, 10, 13, 10] {
        request.parse(String(decoding: bytes, as: UTF8.self))
        missing = request.headers["content-length"].flatMap { Int($0) } ?? 0
      }
    }
    return request
  }
}

extension LoopbackServer.Request {
  fileprivate mutating func parse(_ head: String) {
    let lines = head.split(whereSeparator: \.isNewline)
    let words = lines.first?.split(separator: " ") ?? []
    if words.count > 1 { (method, path) = (String(words[0]), String(words[1])) }
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers[line[..<colon].lowercased()] = String(value)
    }
  }
}

private final class ThreadStart: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private struct ServerFailure: Error {
  let code: Int32
}
