import Reactive
import ReactiveTesting
import Testing

/// Tests operators with a timer on real threads: eight threads send while timers fire.
@Suite(.tags(.stress)) struct TimedStressTests {
  private static let senders = 8

  /// Sends from eight threads, then sends −1 and completes; returns the received arrays, joined.
  private func run(
    _ count: Int,
    _ apply: (Signal<Int, Never>, QueueScheduler) -> Signal<[Int], Never>
  ) -> [Int] {
    let subject = Subject<Int, Never>()
    let seen = Recorder<[Int], Never>()
    let ended = Latch()
    apply(subject.signal, .background).subscribe(
      next: { seen.next($0) },
      completed: {
        seen.complete()
        ended.signal()
      }
    )
    onPlainThreads(Self.senders) { index in
      for value in 0..<count { subject.send(index * count + value) }
    }
    subject.send(-1)
    subject.complete()
    #expect(ended.wait())
    let events = seen.events
    let isEndedOnce = events.last == .completed && events.count { $0.isTerminal } == 1
    #expect(isEndedOnce)
    return seen.values.flatMap { $0 }
  }

  private func isInOrder(_ values: [Int], _ count: Int) -> Bool {
    (0..<Self.senders).allSatisfy { index in
      let own = values.filter { $0 >= 0 && $0 / count == index }
      return own == own.sorted()
    }
  }

  @Test(arguments: ["collect", "collect or count", "window", "delay", "timeout", "delay until"])
  func noValueIsLostOrRepeated(_ name: String) {
    let count = scaledCount(1_000)
    let brief = Duration.microseconds(5)
    let values = run(count) { signal, queue in
      switch name {
      case "collect": signal.collect(every: brief, on: queue)
      case "collect or count":
        signal.collect(every: brief, orCount: 3, on: queue)
      case "window": signal.window(every: brief, on: queue).flatten().map { [$0] }
      case "delay": signal.delay(brief, on: queue).map { [$0] }
      case "timeout":
        signal.timeout(each: .seconds(60), on: queue, switchingTo: .never()).map { [$0] }
      default:
        signal.delay { $0 < 0 ? Signal.just(()) : Signal.timer(after: brief, on: queue) }
          .map { [$0] }
      }
    }
    let isComplete = values.sorted() == [-1] + Array(0..<count * Self.senders)
    #expect(isComplete)
    if name == "delay until" { return }
    let isInOrder = isInOrder(values, count) && values.last == -1
    #expect(isInOrder)
  }

  @Test(arguments: ["debounce", "throttle", "audit", "sample"])
  func skippedValuesDoNotChangeTheOrder(_ name: String) {
    let count = scaledCount(2_000)
    let brief = Duration.microseconds(5)
    let values = run(count) { signal, queue in
      switch name {
      case "debounce": signal.debounce(brief, on: queue).map { [$0] }
      case "throttle": signal.throttle(brief, on: queue).map { [$0] }
      case "audit": signal.audit(brief, on: queue).map { [$0] }
      default: signal.sample(every: brief, on: queue).map { [$0] }
      }
    }
    let isInOrder = isInOrder(values, count)
    #expect(isInOrder)
    if name != "sample" { #expect(values.last == -1) }
  }

  @Test func disposalWhileTimersFireLeavesNothingBehind() {
    let lives = LifeCount()
    let queue = QueueScheduler(label: "test.timed")
    let brief = Duration.microseconds(2)
    onPlainThreads(Self.senders) { index in
      for round in 0..<scaledCount(300) {
        let subject = Subject<LifeCount.Token, Never>()
        let signal: Signal<LifeCount.Token, Never> =
          switch (index + round) % 6 {
          case 0: subject.signal.debounce(brief, on: queue)
          case 1: subject.signal.throttle(brief, on: queue)
          case 2: subject.signal.audit(brief, on: queue)
          case 3: subject.signal.sample(every: brief, on: queue)
          case 4: subject.signal.collect(every: brief, on: queue).map { $0[0] }
          default: subject.signal.buffer(1, whenFull: .dropOldest, on: queue)
          }
        let subscription = signal.subscribe { [token = lives.token()] value in
          token.touch()
          value.touch()
        }
        for _ in 0..<5 { subject.send(lives.token()) }
        subscription.dispose()
      }
    }
    let drained = Latch()
    queue.schedule { drained.signal() }
    #expect(drained.wait())
    #expect(lives.count == 0)
  }
}
