internal import Glibc
internal import ReactiveTrace

/// Workloads for tests, started with `work EVENTS`, `threads COUNT`, `concurrent COUNT`, `spawn` or
/// `fork`.
enum Workload {
  /// A subscription to a new signal, both at the given line.
  static func subscription(line: UInt32) -> TraceID {
    let site = Tracer.site("work", traits: .root, file: "Traced/Work.swift", line: line, column: 1)
    return Tracer.subscribed(
      site: site,
      signal: Tracer.signalCreated(site: site),
      downstream: .none
    )
  }

  /// Records this number of events of one subscription.
  static func work(_ count: Int) {
    let id = subscription(line: 1)
    for _ in 0..<count {
      Tracer.turnBegan(id)
      Tracer.next(id)
      Tracer.turnEnded(id)
    }
  }

  /// Makes a signal and a subscription, which sends three values and ends.
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

  /// Runs short-lived threads, four at a time.
  static func shortLivedThreads(_ count: Int) {
    for _ in 0..<count / 4 { Threads.run(4) { _ in life() } }
  }

  /// Runs threads that all exist at the same time.
  static func concurrentThreads(_ count: Int) {
    let ready = Gathering(count)
    Threads.run(count) { _ in
      ready.wait()
      for _ in 0..<5 { life() }
      ready.wait()
    }
  }

  /// Starts this program again as a child, which records its own trace.
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

  /// Forks a child that continues the work of its parent.
  static func fork() {
    work(10)
    // Swift makes `fork` unavailable, but programs written in C use it.
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

/// Lets threads wait for each other.
///
/// `@unchecked Sendable`: a barrier is meant to be used by several threads.
final class Gathering: @unchecked Sendable {
  private let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)

  init(_ count: Int) { pthread_barrier_init(barrier, nil, UInt32(count)) }

  deinit {
    pthread_barrier_destroy(barrier)
    barrier.deallocate()
  }

  func wait() { pthread_barrier_wait(barrier) }
}
