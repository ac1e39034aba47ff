import Glibc
import Reactive
import Synchronization

// Threads that send to one subject as fast as they can (decision 15 in Documentation/Decisions):
//
//   crowd [THREADS] [SECONDS] [limited|unlimited]
//
// Prints the longest times that a send and a subscription took, in milliseconds, the largest number
// of waiting values, and the number of handled values.

@main
enum Crowd {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst().map(\.self)
    let threads = arguments.first.flatMap { Int($0) } ?? 8
    let seconds = arguments.dropFirst().first.flatMap { Int($0) } ?? 2
    let isLimited = arguments.dropFirst(2).first != "unlimited"
    let run = Run(isLimited ? .limited : .unlimited, until: now() + seconds * 1_000_000_000)
    run.subject.signal.subscribe { _ in run.handle() }
    start(threads) { index in if index == 0 { run.subscribe() } else { run.send() } }
    print("longest send (ms)     ", run.longestSend.load(ordering: .relaxed) / 1_000_000)
    print("longest subscribe (ms)", run.longestSubscribe.load(ordering: .relaxed) / 1_000_000)
    print("most that waited      ", run.mostWaiting.load(ordering: .relaxed))
    print("handled               ", run.handled.load(ordering: .relaxed))
  }
}

private final class Run: Sendable {
  let subject: Subject<Int, Never>
  let longestSend = Atomic(0)
  let longestSubscribe = Atomic(0)
  let mostWaiting = Atomic(0)
  let handled = Atomic(0)
  private let sent = Atomic(0)
  private let end: Int

  init(_ backlog: Backlog, until end: Int) {
    subject = Subject(backlog: backlog)
    self.end = end
  }

  func handle() {
    let number = handled.wrappingAdd(1, ordering: .relaxed).newValue
    mostWaiting.max(sent.load(ordering: .relaxed) - number, ordering: .relaxed)
  }

  func send() {
    while now() < end {
      sent.wrappingAdd(1, ordering: .relaxed)
      longestSend.max(time { subject.send(1) }, ordering: .relaxed)
    }
  }

  func subscribe() {
    while now() < end {
      longestSubscribe.max(time { subject.signal.subscribe().dispose() }, ordering: .relaxed)
      usleep(1000)
    }
  }
}

private func time(_ body: () -> Void) -> Int {
  let start = now()
  body()
  return now() - start
}

private func now() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Runs `body` on `count` + 1 threads, and waits for them.
private func start(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  let threads = (0...count).map { index in
    var thread = pthread_t()
    let body = Unmanaged.passRetained(Body { body(index) })
    pthread_create(
      &thread,
      nil,
      { pointer in
        if let pointer { Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      },
      body.toOpaque()
    )
    return thread
  }
  for thread in threads { pthread_join(thread, nil) }
}
