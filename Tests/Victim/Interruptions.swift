internal import CVictimShims
internal import Glibc
internal import Reactive
internal import Synchronization

/// Sends a thousand Unix signals a second to each working thread; the handler sends a value to a
/// subject of that thread.
final class Interruptions: Sendable {
  /// The subject to which the handler of one thread sends.
  private final class Target: Sendable {
    let subject = Subject<Int, Never>()
    let handled = Sum()

    init() {
      subject.signal.map { $0 &+ 1 }.filter { $0 > 0 }.subscribe { [handled] in handled.add($0) }
      // This thread is the first to enter the subject's gate, which lets one thread at a time
      // deliver values, and so owns it; the handler needs no lock.
      subject.send(0)
    }
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  private let threads = Mutex<[(thread: pthread_t, target: Target)]>([])
  private let isOver = Atomic(false)
  private let handled = Sum()
  private let pump = Mutex<Worker?>(nil)

  init() {
    _ = Self.key
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in Interruptions.handle() }
    action.sa_flags = SA_RESTART
    sigaction(SIGUSR1, &action, nil)
    let worker = Worker { [self] in interrupt() }
    pump.withLock { $0 = worker }
  }

  /// Begins to interrupt the calling thread.
  func begin() {
    let target = Target()
    pthread_setspecific(Self.key, Unmanaged.passUnretained(target).toOpaque())
    threads.withLock { $0.append((pthread_self(), target)) }
  }

  /// Stops interrupting the calling thread.
  func end() {
    threads.withLock { threads in
      guard let index = threads.firstIndex(where: { pthread_equal($0.thread, pthread_self()) != 0 })
      else { return }
      handled.add(threads.remove(at: index).target.handled.value)
      pthread_setspecific(Self.key, nil)
    }
  }

  /// Ends all interruptions, and prints on standard error how many values the handlers have sent.
  func stop() {
    isOver.store(true, ordering: .relaxed)
    pump.withLock { $0?.join() }
    printError("victim: handlers sent \(handled.value) values")
    let count = rxv_handlers_at_heap()
    if count > 0 { printError("handlers were at the heap \(count) times, which none may be") }
  }

  private func interrupt() {
    while !isOver.load(ordering: .relaxed) {
      var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000)
      nanosleep(&pause, nil)
      threads.withLock { for row in $0 { pthread_kill(row.thread, SIGUSR1) } }
    }
  }

  private static func handle() {
    let before = errno
    rxv_handler_begins()
    defer { rxv_handler_ends() }
    if let target = pthread_getspecific(key) {
      Unmanaged<Target>.fromOpaque(target).takeUnretainedValue().subject.send(0)
    }
    errno = before
  }
}
