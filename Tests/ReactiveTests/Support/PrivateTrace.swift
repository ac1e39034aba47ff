import Glibc
import ReactiveTrace

/// A trace of the process of an exit test, in a file that goes with it.
enum PrivateTrace {
  private static var path: String { "/tmp/reactive-tests-\(getpid()).rxtrace" }

  static func start() throws {
    var options = TraceOptions()
    options.size = 4 << 20
    options.path = path
    try Trace.start(options)
  }

  static func remove() { unlink(path) }
}
