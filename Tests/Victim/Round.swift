internal import Glibc
internal import Reactive
internal import ReactiveTrace
internal import Synchronization

/// Work on three threads that causes records of many kinds, and whose result is a single number.
struct Round {
  let number: Int
  let interruptions: Interruptions?

  func run() -> Int {
    let sums = (0..<3).map { _ in Sum() }
    let shared = SharedSubject.all[number]
    let workers = sums.enumerated().map { index, sum in
      Worker { [number, interruptions] in
        interruptions?.begin()
        Self.work(seed: number * 3 + index, sum)
        shared.send(400)
        interruptions?.end()
      }
    }
    for worker in workers { worker.join() }
    let hops = Self.hop(number)
    Trace.mark("round \(number)")
    return sums.reduce(hops &+ shared.seen) { $0 &* 31 &+ $1.value }
  }

  private static func work(seed: Int, _ sum: Sum) {
    let numbers = Subject<Int, Never>()
    let others = MutableProperty(seed)
    let kept = CompositeDisposable()
    kept.add(
      numbers.signal.map { $0 &* 3 }.filter { $0 % 2 == 0 }.scan(0) { $0 &+ $1 }
        .subscribe { sum.add($0) }
    )
    kept.add(numbers.signal.combineLatest(with: others.signal).subscribe { sum.add($0 &+ $1) })
    kept.add(
      numbers.signal.flatMap { number in Signal<Int, Never>.from([number, number &+ 1]) }
        .distinctUntilChanged().subscribe { sum.add($0) }
    )
    for step in 0..<400 {
      numbers.send(seed &+ step)
      if step % 16 == 0 { others.value = step }
      // These subscriptions are disposed of immediately.
      if step % 4 == 0 {
        numbers.signal.merge(with: others.signal).take(2).subscribe { sum.add($0) }.dispose()
      }
    }
    numbers.complete()
    kept.dispose()
  }

  private static func hop(_ number: Int) -> Int {
    let sum = Sum()
    let done = Latch()
    Signal<Int, Never>.from(Array(0..<50)).subscribe(on: QueueScheduler(label: "hop")).deliver(
      on: QueueScheduler(label: "back")
    )
    .subscribe(next: { sum.add($0 &* number) }, completed: { done.open() })
    done.wait()
    return sum.value
  }
}

/// A subject to which three threads send at once, and a count that they share.
///
/// `@unchecked Sendable`: only the handler changes `seen`, and the subject's gate calls it on one
/// thread at a time. If the gate failed to do so, some values would not be counted.
final class SharedSubject: @unchecked Sendable {
  /// One subject for each round; the main thread sends to each first, so that it owns their gates,
  /// each of which lets one thread at a time deliver values.
  nonisolated(unsafe) private(set) static var all: [SharedSubject] = []

  private let subject = Subject<Int, Never>(backlog: .unlimited)
  private(set) var seen = 0

  static func prepare(_ count: Int) {
    all = (0..<count).map { _ in SharedSubject() }
    for subject in all { subject.send(1) }
  }

  private init() {
    subject.signal.map { $0 &+ 1 }.subscribe { [weak self] _ in
      guard let self else { return }
      let before = seen
      seen = before &+ 1
    }
  }

  func send(_ count: Int) { for number in 0..<count { subject.send(number) } }
}

/// A sum to which several threads add.
final class Sum: Sendable {
  private let total = Atomic(0)
  func add(_ value: Int) { total.wrappingAdd(value, ordering: .relaxed) }
  var value: Int { total.load(ordering: .relaxed) }
}

/// A latch that is opened once.
///
/// `@unchecked Sendable`: a semaphore is meant to be used by several threads.
final class Latch: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  init() { sem_init(semaphore, 0, 0) }
  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }
  func open() { sem_post(semaphore) }
  func wait() { while sem_wait(semaphore) != 0, errno == EINTR {} }
}

/// A thread that can be joined.
final class Worker: Sendable {
  private let thread: pthread_t

  init(_ body: @escaping @Sendable () -> Void) {
    let context = Unmanaged.passRetained(body as AnyObject)
    var thread = pthread_t()
    let status = pthread_create(
      &thread,
      nil,
      { context in
        guard let context else { return nil }
        let body = Unmanaged<AnyObject>.fromOpaque(context).takeRetainedValue()
        (body as? @Sendable () -> Void)?()
        return nil
      },
      context.toOpaque()
    )
    guard status == 0 else { fatalError("no thread can be made: \(status)") }
    self.thread = thread
  }

  func join() { pthread_join(thread, nil) }
}
