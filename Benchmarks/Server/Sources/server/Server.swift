import Glibc
import Hummingbird
import Logging
import NIOCore
import Usage

// Answers requests at 127.0.0.1 until it is asked to end:
//
//   server plain|reactive [--tick MILLISECONDS] [--port N]
//
// Prints the port, and at the end what it has used, as one line of JSON each. A market of 16 symbols ticks once a
// millisecond. GET /quote, GET /portfolio, POST /orders, GET /stream (server-sent events) and GET /usage.

@main
enum Server {
  static let usage = "usage: server plain|reactive [--tick MILLISECONDS] [--port N]"

  static func main() async throws {
    let arguments = Arguments(usage: usage, options: ["tick", "port"])
    let tick = max(1, arguments.number("tick", or: 1))
    let port = arguments.number("port", or: 0)
    switch arguments.words {
    case ["plain"]: try await serve(PlainService(tick: tick), port)
    case ["reactive"]: try await serve(ReactiveService(tick: tick), port)
    default: Arguments.fail(usage)
    }
  }

  private static func serve(_ service: some Service, _ port: Int) async throws {
    let counter = Counter()
    let router = Routes(service, counter).router
    var logger = Logger(label: "server")
    logger.logLevel = .error
    let application = Application(
      router: router,
      configuration: .init(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in
        say("{\"port\":\(channel.localAddress?.port ?? 0)}")
      },
      logger: logger
    )
    try await application.runService()
    let used = Usage.now
    say(
      """
      {"requests":\(counter.count),"processorTime":\(used.processorTime),\
      "peakResident":\(used.peakResident)}
      """
    )
  }

  /// A line on standard output, at once: somebody waits for it.
  private static func say(_ line: String) {
    var text = line + "\n"
    _ = text.withUTF8 { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
