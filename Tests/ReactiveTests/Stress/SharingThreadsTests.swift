import Reactive
import ReactiveTesting
import Testing

/// Eight threads use shared signals concurrently.
@Suite(.tags(.stress)) struct SharingThreadsTests {
  /// The value is set in the order of the events, so the last event contains the final value.
  @Test func theLastEventOfABehaviorSubjectIsItsValue() {
    let count = scaledCount(4_000)
    let subject = BehaviorSubject<Int, Never>(-1)
    let first = subject.signal.recorded()
    let second = subject.signal.map { $0 }.recorded()
    onPlainThreads(8) { index in
      for value in 0..<count { subject.send(index * count + value) }
    }
    #expect(first.count == 8 * count + 1)
    let isOneOrder = first.values == second.values
    #expect(isOneOrder)
    #expect(first.values.last == subject.value)
    for index in 0..<8 {
      let own = first.values.filter { $0 / count == index && $0 >= 0 }
      #expect(own == own.sorted())
    }
  }

  /// A subscriber that subscribes during the sends gets the current and each later value once.
  @Test func aSubscriberOfABehaviorSubjectMissesAndRepeatsNoValue() {
    let count = scaledCount(2_000)
    let subject = BehaviorSubject<Int, Never>(0)
    let all = (0..<7).map { _ in (0..<count / 20).map { _ in Recorder<Int, Never>() } }
    let ended = Latch(7 * (count / 20))
    onPlainThreads(8) { index in
      if index == 7 {
        for value in 1...count { subject.send(value) }
        subject.complete()
        return
      }
      for recorder in all[index] {
        subject.signal.subscribe(
          next: { recorder.next($0) },
          completed: { ended.signal() }
        )
      }
    }
    #expect(ended.wait())
    for recorder in all.joined() {
      let values = recorder.values
      let isGapless = values == Array((values.first ?? 0)...count)
      #expect(isGapless)
    }
  }

  @Test func aConnectionIsMadeOnce() {
    for _ in 0..<scaledCount(500) {
      let starts = Counter()
      let subject = Subject<Int, Never>()
      let connection = subject.signal.doStarted { starts.add() }.publish()
      let disposables = Recorder<ObjectIdentifier, Never>()
      let seen = connection.signal.recorded()
      let barrier = SpinBarrier(of: 8)
      onPlainThreads(8) { _ in
        barrier.wait()
        disposables.next(ObjectIdentifier(connection.connect()))
      }
      subject.send(1)
      #expect(starts.value == 1)
      #expect(Set(disposables.values).count == 1)
      #expect(seen.values == [1])
    }
  }

  @Test func connectingAndDisposingAtTheSameTimeIsSafe() {
    for _ in 0..<scaledCount(500) {
      let lives = LifeCount()
      do {
        let subject = Subject<Int, Never>()
        let connection = subject.signal.doNext { [token = lives.token()] _ in token.touch() }
          .multicast(capacity: 1)
        onPlainThreads(8) { index in
          if index % 2 == 0 { connection.connect().dispose() } else { subject.send(index) }
        }
        #expect(connection.connect().isDisposed)
        #expect(connection.signal.recorded().isDisposed)
      }
      #expect(lives.count == 0)
    }
  }

  /// However subscribers come and go, every start of the source is ended, and a later subscriber
  /// gets the next value.
  @Test(arguments: [0, 2]) func everyStartOfASharedSourceIsEnded(_ capacity: Int) {
    let count = scaledCount(1_000)
    let starts = Counter()
    let ends = Counter()
    let subject = Subject<Int, Never>()
    let shared = subject.signal.doStarted { starts.add() }.doDisposed { ends.add() }
      .share(replay: capacity)
    onPlainThreads(8) { index in
      for value in 0..<count {
        if index == 0 { subject.send(value) } else { shared.subscribe().dispose() }
      }
    }
    #expect(starts.value == ends.value)
    #expect(starts.value > 0)
    let last = shared.recorded()
    subject.send(-1)
    #expect(last.values == [-1])
    last.dispose()
    #expect(starts.value == ends.value)
  }

  @Test func aLastingSubscriberOfASharedSourceGetsEveryValue() {
    let count = scaledCount(4_000)
    let subject = Subject<Int, Never>()
    let shared = subject.signal.share()
    let steady = shared.recorded()
    onPlainThreads(8) { index in
      for value in 0..<count {
        if index < 2 {
          subject.send(index * count + value)
        } else if value % 8 == 0 {
          shared.subscribe().dispose()
        }
      }
    }
    #expect(steady.count == 2 * count)
    let isComplete = steady.values.sorted() == Array(0..<2 * count)
    #expect(isComplete)
  }

  @Test func anAutoconnectedSourceIsEndedOnce() {
    for _ in 0..<scaledCount(300) {
      let starts = Counter()
      let ends = Counter()
      let subject = Subject<Int, Never>()
      let shared = subject.signal.doStarted { starts.add() }.doDisposed { ends.add() }
        .publish().autoconnect()
      onPlainThreads(8) { _ in
        let one = shared.subscribe()
        subject.send(1)
        one.dispose()
      }
      #expect(starts.value == 1)
      #expect(ends.value == 1)
      #expect(shared.recorded().isDisposed)
    }
  }
}
