import Glibc
import Usage

// Sends requests to a server at 127.0.0.1, and prints the results:
//
//   load full PORT    [--requests N] [--connections N]              as fast as it answers
//   load paced PORT   [--requests N] [--connections N] [--rate N]   at N requests a second;
//                     [--listeners N]                               listeners get events meanwhile
//   load listen PORT  [--listeners N] [--events N]                  only server-sent events
//
// The program ends when all requests have been answered, or after --seconds (60). It then prints
// one line of JSON with the numbers of requests and failures, the duration, latencies, and the
// resources that the server says it used.

@main
enum Load {
  static let usage =
    "usage: load full|paced|listen PORT [--requests N] [--connections N] [--rate N] [--listeners N] [--events N] [--seconds N]"

  static func main() {
    let arguments = Arguments(
      usage: usage,
      options: ["requests", "connections", "rate", "listeners", "events", "seconds"]
    )
    guard arguments.words.count == 2, let port = UInt16(arguments.words[1]) else {
      Arguments.fail(usage)
    }
    let deadline = Monotonic.now + arguments.number("seconds", or: 60) * 1_000_000_000
    let requests = arguments.number("requests", or: 10_000)
    let connections = max(1, arguments.number("connections", or: 16))
    let listeners = arguments.number("listeners", or: arguments.words[0] == "listen" ? 200 : 0)

    let before = ServerUsage(port)
    let begin = Monotonic.now
    let eventListeners = EventListeners(
      port,
      listeners: listeners,
      events: arguments.number("events", or: 20)
    )
    let load: LoadConnections
    switch arguments.words[0] {
    case "full":
      load = LoadConnections(port, connections: connections, requests: requests, rate: nil)
    case "paced":
      let rate = max(1, arguments.number("rate", or: 1000))
      load = LoadConnections(port, connections: connections, requests: requests, rate: rate)
    case "listen": load = LoadConnections(port, connections: 0, requests: 0, rate: nil)
    default: Arguments.fail(usage)
    }
    let isListening = arguments.words[0] == "listen"
    while isListening ? !eventListeners.hasAllEvents : !load.isDone {
      guard Monotonic.now < deadline else { Arguments.fail("load: the time is up") }
      load.sendDueRequests()
      Poll.wait(load.connections + eventListeners.connections, until: load.nextDue ?? deadline)
    }
    let time = Monotonic.now - begin
    eventListeners.close()
    let after = ServerUsage(port)
    print(
      """
      {"mode":"\(arguments.words[0])","requests":\(load.answered),"failures":\(load.failures),\
      "time":\(time),"p50":\(load.latency(50)),"p99":\(load.latency(99)),\
      "listeners":\(listeners),"events":\(eventListeners.events),\
      "processorTime":\(after.processorTime - before.processorTime),"peakResident":\(after.peakResident)}
      """
    )
    if load.failures > 0 { exit(1) }
  }
}
