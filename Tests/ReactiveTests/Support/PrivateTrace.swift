import Glibc
import ReactiveTrace

/// A trace of the process of an exit test, in a file named after the process.
enum PrivateTrace {
  private static var path: String { "/tmp/reactive-tests-\(getpid()).rxtrace" }

  /// Starts recording.
  ///
  /// - Parameters:
  ///   - size: The size of the ring, in which new records overwrite the oldest; the size of the
  ///     site table depends on it.
  ///   - level: The level of the recording.
  /// - Throws: If the file cannot be made.
  static func start(size: Int = 4 << 20, level: TraceLevel = .events) throws {
    var options = TraceOptions()
    options.size = size
    options.level = level
    options.startupSize = level == .graph ? 0 : nil
    options.maximumLevel = max(level, options.maximumLevel)
    options.path = path
    try Trace.start(options)
  }

  static func remove() { unlink(path) }
}
