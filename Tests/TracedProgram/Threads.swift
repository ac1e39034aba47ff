internal import Glibc

/// Threads with small stacks, so that two thousand of them do not take much memory.
enum Threads {
  private static let stackBytes = 128 << 10

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` with 0, 1, … on this number of threads at once, and waits for all of them.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let threads = (0..<count).map { index in start { body(index) } }
    for thread in threads { pthread_join(thread, nil) }
  }

  /// Starts one thread.
  static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, stackBytes)
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    let failure = pthread_create(
      &thread,
      &attributes,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      },
      work.toOpaque()
    )
    guard failure == 0 else {
      fail("a thread cannot be made: \(String(cString: strerror(failure)))")
    }
    return thread
  }
}
