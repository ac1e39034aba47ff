import Reactive
import ReactiveTesting
import Testing

/// Several threads send concurrently through the gates of subjects and operators.
@Suite(.tags(.stress)) struct ThreadsTests {
  @Test func allSubscribersSeeOneOrder() {
    let count = scaledCount(20_000)
    let subject = Subject<Int, Never>()
    let first = subject.signal.recorded()
    let second = subject.signal.map { $0 }.recorded()
    onPlainThreads(4) { index in
      for value in 0..<count / 4 { subject.send(index * count + value) }
    }
    #expect(first.count == count / 4 * 4)
    #expect(first.values == second.values)
    for index in 0..<4 {
      let own = first.values.filter { $0 / count == index }
      #expect(own == own.sorted())
    }
  }

  @Test(arguments: ["merge", "flatMap", "flatten", "combine"])
  func noValueOfSeveralSendersIsLostOrRepeated(_ name: String) {
    let count = scaledCount(10_000)
    let subjects = (0..<4).map { _ in Subject<Int, Never>() }
    let signals = subjects.map(\.signal)
    let signal: Signal<Int, Never> =
      switch name {
      case "merge": .merge(signals)
      case "flatMap": Signal.from(signals).flatMap { $0 }
      case "flatten": Signal.from(signals).flatten(limit: 4)
      default:
        .merge([
          signals[0], signals[1],
          zip(signals[2], signals[3]).flatMap { .from([$0.0, $0.1]) },
        ])
      }
    let seen = Recorder<Int, Never>()
    let ended = Latch()
    signal.subscribe(next: { seen.next($0) }, completed: { ended.signal() })
    onPlainThreads(4) { index in
      for value in 0..<count { subjects[index].send(index * count + value) }
      subjects[index].complete()
    }
    #expect(ended.wait())
    let isComplete = seen.values.sorted() == Array(0..<4 * count)
    #expect(isComplete)
  }

  /// Each delivery sends to the other subject, which would deadlock if a lock were held meanwhile.
  @Test func twoSubjectsThatSendToEachOtherLoseNoValue() {
    let count = scaledCount(5_000)
    let left = Subject<Int, Never>()
    let right = Subject<Int, Never>()
    let seen = Counter()
    let firstSubscription = left.signal.subscribe { value in
      seen.add()
      if value > 0 { right.send(value - 1) }
    }
    let secondSubscription = right.signal.subscribe { value in
      seen.add()
      if value > 0 { left.send(value - 1) }
    }
    onPlainThreads(2) { index in
      for _ in 0..<count { index == 0 ? left.send(3) : right.send(3) }
    }
    #expect(seen.value == 2 * count * 4)
    firstSubscription.dispose()
    secondSubscription.dispose()
  }

  @Test func subscribersComeAndGoWhileOthersSend() {
    let count = scaledCount(2_000)
    let lives = LifeCount()
    let subject = Subject<Int, Never>()
    let steady = subject.signal.recorded()
    onPlainThreads(6) { index in
      for value in 0..<count {
        if index < 2 {
          subject.send(value)
        } else {
          let disposable = subject.signal.subscribe { [token = lives.token()] _ in token.touch() }
          disposable.dispose()
        }
      }
    }
    #expect(steady.count == 2 * count)
    #expect(lives.count == 0)
  }

  @Test func switchToLatestSwitchesWhileInnerSignalsSend() {
    let count = scaledCount(2_000)
    let outer = Subject<Signal<Int, Never>, Never>()
    let inners = (0..<2).map { _ in Subject<Int, Never>() }
    let seen = outer.signal.switchToLatest().recorded()
    onPlainThreads(3) { index in
      for value in 0..<count {
        if index < 2 { inners[index].send(value) } else { outer.send(inners[value % 2].signal) }
      }
      if index < 2 { inners[index].complete() } else { outer.complete() }
    }
    #expect(seen.isCompleted)
  }

  @Test func deliverOnAConcurrentSchedulerKeepsTheOrder() {
    let count = scaledCount(20_000)
    let latch = Latch()
    let seen = Recorder<Int, Never>()
    let subject = Subject<Int, Never>()
    subject.signal.deliver(on: .background).subscribe(
      next: { seen.next($0) },
      completed: { latch.signal() }
    )
    onPlainThread {
      for value in 0..<count { subject.send(value) }
      subject.complete()
    }
    #expect(latch.wait())
    #expect(seen.values == Array(0..<count))
  }

  @Test func timersAreDisposedOfWhileTheyFire() {
    let queue = QueueScheduler(label: "test.timers")
    let fires = Counter()
    for _ in 0..<scaledCount(300) {
      let first = Latch()
      let timer = queue.schedule(every: .microseconds(50)) {
        fires.add()
        first.signal()
      }
      #expect(first.wait())
      onPlainThreads(2) { _ in timer.dispose() }
      #expect(timer.isDisposed)
    }
    let drained = Latch()
    queue.schedule { drained.signal() }
    #expect(drained.wait())
    let before = fires.value
    let later = Latch()
    queue.schedule(after: .milliseconds(2)) { later.signal() }
    #expect(later.wait())
    #expect(fires.value == before)
  }
}
