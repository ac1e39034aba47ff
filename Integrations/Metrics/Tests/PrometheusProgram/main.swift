// A traced program whose gauges Prometheus scrapes, for Scripts/consumers-prometheus. The program
// has forty subscriptions that stay, and leaks four in each of eight rounds. It listens on
// 127.0.0.1 only, prints its port, and exits when its standard input ends.

import Glibc
import Reactive
import ReactiveFindingMetrics
import ReactiveMetrics
import ReactiveTrace

let factory = TextFactory()
let dimensions = [("service", "probe")]
let counts = SignalMetrics(dimensions: dimensions, factory: factory)
let findings = FindingMetrics(dimensions: dimensions, factory: factory)

let news = Subject<Int, Never>()
let kept = (0..<40).map { number in news.signal.map { $0 + number }.subscribe { _ in } }
var leaked: [any Disposable] = []
for round in 0..<8 {
  Trace.mark("round \(round)")
  for _ in 0..<4 { leaked.append(news.signal.subscribe { _ in }) }
  news.send(round)
}
Trace.mark("round 8")

func fail(_ what: String) -> Never {
  perror("prometheus-program: \(what)")
  exit(1)
}

let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
var address = sockaddr_in()
address.sin_family = sa_family_t(AF_INET)
address.sin_addr.s_addr = inet_addr("127.0.0.1")
var length = socklen_t(MemoryLayout<sockaddr_in>.size)
let isListening = withUnsafeMutablePointer(to: &address) { address in
  address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
    bind(server, address, length) == 0 && listen(server, 16) == 0
      && getsockname(server, address, &length) == 0
  }
}
guard isListening else { fail("cannot listen") }
print(UInt16(bigEndian: address.sin_port))
fflush(nil)

signal(SIGPIPE, SIG_IGN)
var request = [UInt8](repeating: 0, count: 1 << 14)
while true {
  var waiting = [
    pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
    pollfd(fd: server, events: Int16(POLLIN), revents: 0),
  ]
  guard poll(&waiting, 2, -1) > 0 || errno == EINTR else { fail("cannot wait") }
  if waiting[0].revents != 0 { break }
  guard waiting[1].revents != 0, case let client = accept(server, nil, nil), client >= 0 else {
    continue
  }
  _ = read(client, &request, request.count)
  counts.sample()
  findings.sample()
  let text = factory.text
  let answer = Array(
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: \(text.utf8.count)\r\nConnection: close\r\n\r\n\(text)"
      .utf8
  )
  _ = write(client, answer, answer.count)
  close(client)
}
withExtendedLifetime((kept, leaked)) {}
