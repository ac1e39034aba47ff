import Dispatch
import Reactive
import ReactiveTesting
import Testing

/// Several threads send concurrently to operators that combine, retry and switch.
@Suite(.tags(.stress)) struct CombiningThreadsTests {
  private static func signals(_ subjects: [Subject<Int, Never>]) -> [Signal<Int, Never>] {
    subjects.map(\.signal)
  }

  @Test func aZipOfManyLosesNoValueAndKeepsTheOrderOfEachInput() {
    let count = scaledCount(5_000)
    let subjects = (0..<4).map { _ in Subject<Int, Never>() }
    let seen = Recorder<[Int], Never>()
    let ended = Latch()
    zip(Self.signals(subjects)).subscribe(next: { seen.next($0) }, completed: { ended.signal() })
    onPlainThreads(4) { index in
      for value in 0..<count { subjects[index].send(value) }
      subjects[index].complete()
    }
    #expect(ended.wait())
    let isComplete = seen.values == (0..<count).map { [Int](repeating: $0, count: 4) }
    #expect(isComplete)
  }

  @Test func aCombinationOfManyEndsWithTheLastOfEach() {
    let count = scaledCount(5_000)
    let subjects = (0..<4).map { _ in Subject<Int, Never>() }
    let latest = Recorder<[Int], Never>()
    let last = Recorder<[Int], Never>()
    combineLatest(Self.signals(subjects)).subscribe { latest.next($0) }
    forkJoin(Self.signals(subjects)).subscribe { last.next($0) }
    onPlainThreads(4) { index in
      for value in 0..<count { subjects[index].send(value) }
      subjects[index].complete()
    }
    let end = [Int](repeating: count - 1, count: 4)
    #expect(latest.values.last == end)
    #expect(last.values == [end])
    let isOrdered = Swift.zip(latest.values, latest.values.dropFirst()).allSatisfy {
      before,
      after in
      Swift.zip(before, after).allSatisfy { $0 <= $1 }
    }
    #expect(isOrdered)
  }

  @Test func eachValueIsPairedWithALatestOne() {
    let count = scaledCount(10_000)
    let source = Subject<Int, Never>()
    let other = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let order = Recorder<Int, Never>()
    source.signal.withLatest(from: other.signal).subscribe { value, latest in
      seen.next(value)
      order.next(latest)
    }
    other.send(-1)
    onPlainThreads(2) { index in
      for value in 0..<count { index == 0 ? source.send(value) : other.send(value) }
    }
    let isComplete = seen.values == Array(0..<count)
    #expect(isComplete)
    let isOrdered = order.values == order.values.sorted()
    #expect(isOrdered)
  }

  @Test func retriesAfterFailuresOnOtherThreadsFollowEachOther() {
    let tries = Counter()
    let ended = Latch()
    let count = scaledCount(2_000)
    let source = Signal<Int, TestFailure>.create { observer in
      let number = tries.add()
      QueueScheduler.background.schedule {
        if number == count { observer.complete() } else { observer.fail(TestFailure()) }
      }
    }
    source.retry().subscribe(failed: { _ in }, completed: { ended.signal() })
    #expect(ended.wait())
    #expect(tries.value == count)
  }

  @Test func triggersOnOtherThreadsAnswerEachFailureOnce() {
    let tries = Counter()
    let ended = Latch()
    let count = scaledCount(1_000)
    let source = Signal<Int, TestFailure>.create { observer in
      if tries.add() == count { observer.complete() } else { observer.fail(TestFailure()) }
    }
    source.retry(when: { $0.deliver(on: .queue("answers")) })
      .subscribe(failed: { _ in }, completed: { ended.signal() })
    #expect(ended.wait())
    #expect(tries.value == count)
  }

  @Test func disposalDuringRetriesOnOtherThreadsFreesEverything() {
    let lives = LifeCount()
    let failing = QueueScheduler(label: "failing")
    let tries = QueueScheduler(label: "tries")
    for _ in 0..<scaledCount(200) {
      let source = Signal<Int, TestFailure>.create { [token = lives.token()] observer in
        token.touch()
        failing.schedule { observer.fail(TestFailure()) }
      }
      let subscription = source.retry(delay: .zero, on: tries).subscribe(failed: { _ in })
      onPlainThread { subscription.dispose() }
    }
    // Each queue may pass one last piece of work to the other.
    for queue in [failing, tries, failing, tries].map(\.queue) { queue.sync {} }
    #expect(lives.count == 0)
  }

  @Test func replacedSignalsEndWhileTheySend() {
    let count = scaledCount(2_000)
    let outer = Subject<Signal<Int, Never>, Never>()
    let inner = (0..<3).map { _ in Subject<Int, Never>() }
    let seen = Counter()
    let ended = Latch()
    outer.signal.flatten(limit: 2, policy: .disposeEarliest)
      .subscribe(next: { _ in seen.add() }, completed: { ended.signal() })
    onPlainThreads(4) { index in
      if index < 3 {
        for value in 0..<count { inner[index].send(value) }
      } else {
        for number in 0..<count { outer.send(inner[number % 3].signal) }
      }
    }
    outer.complete()
    for one in inner { one.complete() }
    #expect(ended.wait())
    #expect(seen.value <= count * 3)
  }
}
