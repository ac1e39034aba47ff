import Dispatch
import Glibc
import Hummingbird
import Logging
import NIOCore
import Usage

// Answers requests at 127.0.0.1 until it gets a signal to end:
//
//   server plain|reactive [--tick MILLISECONDS] [--port N]
//
// It prints the port at the start, and the resources it has used at the end, each as a line of
// JSON. A market of 16 symbols ticks once a millisecond. The requests are GET /quote, GET
// /portfolio, POST /orders, GET /stream (server-sent events) and GET /usage.

@main
enum Server {
  static let usage = "usage: server plain|reactive [--tick MILLISECONDS] [--port N]"

  // This function is not asynchronous, because otherwise the main thread would exit, which
  // callgrind 3.19 does not support.
  static func main() {
    let arguments = Arguments(usage: usage, options: ["tick", "port"])
    let tick = max(1, arguments.number("tick", or: 1))
    let port = arguments.number("port", or: 0)
    switch arguments.words {
    case ["plain"]: run(PlainService(tick: tick), port)
    case ["reactive"]: run(ReactiveService(tick: tick), port)
    default: Arguments.fail(usage)
    }
  }

  /// Answers requests, and returns after a signal to end.
  private static func run(_ service: some Service, _ port: Int) {
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      do { try await serve(service, port) } catch { Arguments.fail("server: \(error)") }
      done.signal()
    }
    done.wait()
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

  /// Writes a line on standard output immediately, because another program waits for it.
  private static func say(_ line: String) {
    var text = line + "\n"
    _ = text.withUTF8 { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
