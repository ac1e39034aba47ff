import Dispatch
internal import Glibc

/// A server on a free port of the loopback interface that speaks as much HTTP as the client needs:
/// one request per connection, one connection at a time.
final class MailServer: Sendable {
  let port: UInt16
  private let queue = DispatchQueue(label: "mail server")

  /// Starts answering; nil if no port is available.
  ///
  /// - Parameters:
  ///   - password: The password that a login must send.
  ///   - answers: The number of requests that are answered before the server stops.
  init?(password: String, answers: Int) {
    let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listening, address, length) == 0 && listen(listening, 8) == 0
          && getsockname(listening, address, &length) == 0
      }
    }
    guard isListening else { return nil }
    port = UInt16(bigEndian: address.sin_port)
    queue.async {
      for _ in 0..<answers {
        let connection = accept(listening, nil, nil)
        if connection < 0 { break }
        let (status, body) = Self.answer(to: Self.request(from: connection), password)
        let text =
          "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        _ = send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
        close(connection)
      }
      close(listening)
    }
  }

  /// Returns the lines of a request's head; no request has a body.
  private static func request(from connection: Int32) -> [Substring] {
    var request: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: request, as: UTF8.self).contains("\r\n\r\n") {
      let count = recv(connection, &bytes, bytes.count, 0)
      if count <= 0 { break }
      request += bytes[..<count]
    }
    return String(decoding: request, as: UTF8.self).split(separator: "\r\n")
  }

  private static func answer(to request: [Substring], _ password: String) -> (String, String) {
    let words = request.first?.split(separator: " ") ?? []
    guard words.count > 1 else { return ("400 Bad Request", "") }
    let path = words[1].split(separator: "/")
    if path == ["login"] {
      return request.contains("Password: \(password)")
        ? ("200 OK", "session-1") : ("403 Forbidden", "")
    }
    guard request.contains("Session: session-1") else { return ("401 Unauthorized", "") }
    let messages = ["Hello", "Lunch?", "Minutes", "Invoice"]
    switch path.first {
    case "read": return ("200 OK", messages.prefix(2).joined(separator: "\n"))
    case "new":
      let count = path.last.flatMap { Int($0) } ?? 0
      return ("200 OK", messages.dropFirst(count).joined(separator: "\n"))
    default: return ("404 Not Found", "")
    }
  }
}
