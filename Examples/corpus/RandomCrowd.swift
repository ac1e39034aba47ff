import Dispatch
internal import Glibc
import Reactive
import ReactiveTrace
import Synchronization

/// A random program without a fault, generated from a seed: `corpus crowd SEED`.
///
/// Two to 32 threads send in various ways while subscriptions are disposed of at random: by the
/// thread that made them, by the sending threads, and by operators such as `take`. One of three
/// programs is killed, and one exits without stopping the recording.
final class RandomCrowd: Sendable {
  private let random: Mutex<SeededNumbers>
  private let subjects = (0..<3).map { Subject<Int, Never>("subject \($0)") }
  private let queue = QueueScheduler(label: "posts")
  private let observers = Mutex<[Observer<Int, Never>]>([])
  private let handles = Mutex<[any Disposable]>([])
  private let isOver = Atomic<Bool>(false)

  private init(seed: UInt64) { random = Mutex(SeededNumbers(state: seed)) }

  static func run(seed: UInt64) {
    let crowd = RandomCrowd(seed: seed)
    let ending = crowd.number(below: 3)
    let crew = Crew(2 + crowd.number(below: 31)) { _ in crowd.send() }
    if ending == 0 {
      let time = UInt32(crowd.number(below: 30_000))
      _ = Crew(1) { _ in
        usleep(time)
        kill(getpid(), SIGKILL)
      }
    }
    for _ in 0..<16 {
      crowd.subscribe()
      usleep(UInt32(crowd.number(below: 2000)))
      if crowd.number(below: 2) == 0 { crowd.dispose() }
    }
    while crowd.dispose() {}
    crowd.isOver.store(true, ordering: .relaxed)
    crew.wait()
    if ending == 1 { Trace.stop() }
    exit(0)
  }

  private func number(below limit: Int) -> Int {
    random.withLock { Int($0.next() % UInt64(limit)) }
  }

  /// Sends a limited number; otherwise, the thread that sets `isOver` might deliver for ever.
  private func send() {
    for _ in 0..<200 where !isOver.load(ordering: .relaxed) {
      let subject = subjects[number(below: subjects.count)]
      for value in 0..<number(below: 8) { subject.send(value) }
      for observer in observers.withLock({ $0 }) where !observer.isDisposed { observer.send(0) }
      if number(below: 200) == 0 { dispose() }
      usleep(UInt32(number(below: 4000)))
    }
  }

  @discardableResult
  private func dispose() -> Bool {
    let handle = handles.withLock { $0.isEmpty ? nil : $0.remove(at: number(below: $0.count)) }
    handle?.dispose()
    return handle != nil
  }

  private func subscribe() {
    let pause = UInt32(number(below: 500))
    let signal = signal().doDisposed { usleep(pause) }
    let handle = signal.subscribe { _ in usleep(pause / 10) }
    handles.withLock { $0.append(handle) }
  }

  private func signal() -> Signal<Int, Never> {
    let count = 1 + number(below: 10)
    let subject = subjects[number(below: subjects.count)].signal
    switch number(below: 8) {
    case 0: return subject.map { $0 + 1 }
    case 1: return subject.merge(with: subjects[0].signal).deliver(on: queue)
    case 2: return subject.take(count)
    case 3:
      // The sending threads check whether the observer is disposed of.
      return .create { observer in self.observers.withLock { $0.append(observer) } }
    case 4:
      // The values are sent by work that waits in a queue.
      return .create { observer in
        for value in 0..<count { self.queue.schedule { observer.send(value) } }
      }
    case 5:
      // The values are sent on a dispatch queue, whose work disposal does not cancel.
      return .create { observer in
        _ = Crew(1) { _ in for value in 0..<count { observer.send(value) } }
      }
    case 6:
      // The source may send more values than `take` forwards.
      return Signal<Int, Never>.create { observer in
        for value in 0..<count { observer.send(value) }
        observer.complete()
      }
      .take(1)
    default: return .interval(.milliseconds(1), on: queue)
    }
  }
}

/// Random numbers that are the same for the same seed (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
