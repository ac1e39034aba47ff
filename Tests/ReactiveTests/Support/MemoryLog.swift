import Logging
import Reactive

/// Keeps log entries in the form `level message`.
final class MemoryLog: Sendable {
  private let list = Locked<[String]>([])

  var lines: [String] { list.withLock { $0 } }
  var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

  /// A log handler for `LoggingSystem.bootstrap`.
  var handler: any LogHandler { Handler(log: self) }

  private struct Handler: LogHandler {
    let log: MemoryLog
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { log.list.withLock { $0.append("\(event.level) \(event.message)") } }
  }
}
