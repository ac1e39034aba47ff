internal import Glibc
internal import ReactiveTrace

/// What a traced program does in tests: `work EVENTS`, `threads COUNT`, `concurrent COUNT`, `spawn`, `fork`.
enum Workload {
  /// A subscription of a signal of its own, at a line of its own.
  static func subscription(line: UInt32) -> TraceID {
    let site = Tracer.site("work", traits: .root, file: "Traced/Work.swift", line: line, column: 1)
    return Tracer.subscribed(
      site: site,
      signal: Tracer.signalCreated(site: site),
      downstream: .none
    )
  }

  /// So many events of one subscription.
  static func work(_ count: Int) {
    let id = subscription(line: 1)
    for _ in 0..<count {
      Tracer.turnBegan(id)
      Tracer.next(id)
      Tracer.turnEnded(id)
    }
  }

  /// A subscription that begins, sends three values and ends, and its signal.
  private static func life() {
    let site = Tracer.site("work", traits: .root, file: "Traced/Work.swift", line: 2, column: 1)
    let signal = Tracer.signalCreated(site: site)
    let id = Tracer.subscribed(site: site, signal: signal, downstream: .none)
    for _ in 0..<3 { Tracer.next(id) }
    Tracer.completed(id)
    Tracer.ended(id, .completed)
    Tracer.subscriptionReleased(id)
    Tracer.signalReleased(signal)
  }

  /// Threads that come and go, four at a time.
  static func shortLivedThreads(_ count: Int) {
    for _ in 0..<count / 4 { Threads.run(4) { _ in life() } }
  }

  /// Threads that are all there at once.
  static func concurrentThreads(_ count: Int) {
    let ready = Gathering(count)
    Threads.run(count) { _ in
      ready.wait()
      for _ in 0..<5 { life() }
      ready.wait()
    }
  }

  /// The same program as a child, which has a trace of its own.
  static func spawn() {
    work(10)
    var environment: [String: String] = [:]
    for name in ["RXTRACE", "RXTRACE_DIR"] {
      if let value = getenv(name) { environment[name] = String(cString: value) }
    }
    let status = ChildProcess(["work", "20"], environment: environment).wait()
    guard status == 0 else { fail("the child ended with \(status)") }
    work(10)
  }

  /// A forked child goes on with what its parent was doing.
  static func fork() {
    work(10)
    // Swift hides `fork`, for good reasons; programs written in C do it all the same.
    guard let symbol = dlsym(nil, "fork") else { fail("there is no fork") }
    let child = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
    if child == 0 {
      work(100_000)
      exit(0)
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { fail("the child ended with \(status)") }
    work(10)
  }
}

/// Where threads wait for each other.
///
/// `@unchecked Sendable`: a barrier is made to be used by several threads.
final class Gathering: @unchecked Sendable {
  private let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)

  init(_ count: Int) { pthread_barrier_init(barrier, nil, UInt32(count)) }

  deinit {
    pthread_barrier_destroy(barrier)
    barrier.deallocate()
  }

  func wait() { pthread_barrier_wait(barrier) }
}
