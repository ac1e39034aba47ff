import Dispatch
import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

/// A sequence that runs code of the program when its iterator is made.
private struct ProgramSequence: Sequence, Sendable {
  let began: @Sendable () -> Void

  func makeIterator() -> some IteratorProtocol<Int> {
    began()
    return [1, 2].makeIterator()
  }
}

/// Contract rule 8: work starts on a scheduler.
///
/// If there is a current scheduler, work starts before `subscribe` returns; otherwise a cold source
/// that runs code starts on the background scheduler, and any other source starts immediately.
@Suite struct Rule08SchedulingTests {
  @Test func aSwiftTaskHasAScheduler() async {
    #expect(Signal<Int, Never>.just(1).recorded().events == [.next(1), .completed])
  }

  @Test @MainActor func theMainThreadHasAScheduler() {
    #expect(Signal<Int, Never>.just(1).recorded().events == [.next(1), .completed])
  }

  /// Each source sends its values and ends before `subscribe` returns, on a thread without a
  /// scheduler.
  @Test func sourcesThatRunNoCodeNeedNoScheduler() {
    typealias Numbers = Signal<Int, TestFailure>
    let failure = TestFailure(code: 1)
    let replay = ReplaySubject<Int, TestFailure>()
    for value in [1, 2] { replay.send(value) }
    replay.complete()
    let property = BehaviorSubject<Int, TestFailure>(1)
    property.complete()
    let last = AsyncSubject<Int, TestFailure>()
    last.send(1)
    last.complete()
    let cases: [(Numbers, [Event<Int, TestFailure>])] = [
      (.just(1), [.next(1), .completed]),
      (.empty(), [.completed]),
      (.failed(failure), [.failed(failure)]),
      (Numbers(.success(1)), [.next(1), .completed]),
      (Numbers(.failure(failure)), [.failed(failure)]),
      (.from([1, 2]), [.next(1), .next(2), .completed]),
      (.from([0, 1, 2][1...]), [.next(1), .next(2), .completed]),
      (.from(ContiguousArray([1, 2])), [.next(1), .next(2), .completed]),
      (.from(1..<3), [.next(1), .next(2), .completed]),
      (.from(1...2), [.next(1), .next(2), .completed]),
      (.range(from: 1, count: 2), [.next(1), .next(2), .completed]),
      (Numbers.empty().startWith(1, 2), [.next(1), .next(2), .completed]),
      (Numbers.just(1).concat(.just(2)), [.next(1), .next(2), .completed]),
      (Numbers.just(1).flatMap { Numbers.just($0 + 1) }, [.next(2), .completed]),
      (replay.signal, [.next(1), .next(2), .completed]),
      (property.signal, [.next(1), .completed]),
      (last.signal, [.next(1), .completed]),
    ]
    onPlainThread {
      #expect(CurrentScheduler.scheduler == nil)
      for (signal, events) in cases { #expect(signal.recorded().events == events, "\(signal)") }
    }
  }

  /// Making the iterator runs code of the program, so the sequence must be read on a scheduler.
  @Test func anySequenceSubscribedToOnAPlainThreadStartsOnTheBackgroundScheduler() {
    let latch = Latch()
    let starter = Box<Bool>()
    onPlainThread {
      Signal<Int, Never>.from(
        ProgramSequence { starter.value = CurrentScheduler.scheduler === QueueScheduler.background }
      )
      .subscribe(completed: { latch.signal() })
    }
    #expect(latch.wait())
    #expect(starter.value == true)
  }

  @Test func valuesSentFromAPlainThreadKeepTheirOrder() {
    let numbers = Subject<Int, Never>()
    let merged = Recorder<Int, Never>()
    let latest = Recorder<Int, Never>()
    merged.record(numbers.signal.flatMap { .just($0) })
    latest.record(numbers.signal.flatMapLatest { Signal<Int, Never>.just($0).startWith(-1) })
    onPlainThread { for number in 0..<2_000 { numbers.send(number) } }
    #expect(merged.values == Array(0..<2_000))
    #expect(latest.values == (0..<2_000).flatMap { [-1, $0] })
  }

  @Test func workOfAQueueSchedulerHasAScheduler() {
    let queue = QueueScheduler(label: "test.rule8")
    let seen = Box<[Event<Int, Never>]>()
    let latch = Latch()
    queue.schedule {
      seen.value = Signal<Int, Never>.just(1).recorded().events
      latch.signal()
    }
    #expect(latch.wait())
    #expect(seen.value == [.next(1), .completed])
  }

  @Test func aColdSourceSubscribedToOnAPlainThreadStartsOnTheBackgroundScheduler() {
    onPlainThread {
      let latch = Latch()
      let starter = Box<UInt>()
      let isInBackground = Box<Bool>()
      Signal<Int, Never>.create { observer in
        starter.value = threadNumber()
        isInBackground.value = CurrentScheduler.scheduler === QueueScheduler.background
        observer.complete()
      }
      .subscribe(completed: { latch.signal() })
      #expect(latch.wait())
      #expect(starter.value != nil)
      #expect(starter.value != threadNumber())
      #expect(isInBackground.value == true)
    }
  }

  @Test func theStartOfAColdSourceCanBeCancelled() {
    for _ in 0..<scaledCount(500) {
      let latch = Latch()
      let starts = Counter()
      onPlainThread {
        let signal = Signal<Int, Never>.create { observer in
          starts.add()
          observer.send(1)
        }
        let disposable = signal.doDisposed { latch.signal() }.subscribe()
        disposable.dispose()
        #expect(disposable.isDisposed)
      }
      #expect(latch.wait())
      #expect(starts.value <= 1)
    }
  }

  @Test func aSubjectRegistersAtOnceOnAPlainThread() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    onPlainThread {
      seen.record(subject.signal.map { $0 + 1 })
      subject.send(1)
    }
    #expect(seen.values == [2])
  }

  @Test func aReplaySubjectReplaysInOrderFromAPlainThread() {
    let subject = ReplaySubject<Int, Never>()
    for value in 0..<5 { subject.send(value) }
    subject.complete()
    let seen = Recorder<Int, Never>()
    let latch = Latch()
    onPlainThread {
      subject.signal.subscribe(
        next: { seen.next($0) },
        completed: {
          seen.complete()
          latch.signal()
        }
      )
    }
    #expect(latch.wait())
    #expect(seen.values == [0, 1, 2, 3, 4])
    #expect(seen.isCompleted)
  }

  /// A subscriber that subscribes while another thread sends gets every value once.
  @Test(.tags(.stress)) func aReplayLosesAndRepeatsNoValueWhileAnotherThreadSends() {
    for _ in 0..<scaledCount(300) {
      let count = 200
      let subject = ReplaySubject<Int, Never>()
      let seen = Recorder<Int, Never>()
      let latch = Latch()
      onPlainThreads(2) { index in
        if index == 0 {
          for value in 0..<count { subject.send(value) }
          subject.complete()
        } else {
          subject.signal.subscribe(
            next: { seen.next($0) },
            completed: { latch.signal() }
          )
        }
      }
      #expect(latch.wait())
      #expect(seen.values == Array(0..<count))
    }
  }

  @Test(.tags(.stress)) func aReplayCanBeDisposedOfWhileAnotherThreadSends() {
    for _ in 0..<scaledCount(300) {
      let lives = LifeCount()
      let subject = ReplaySubject<Int, Never>(capacity: 10)
      let released = Latch()
      onPlainThreads(2) { index in
        if index == 0 {
          for value in 0..<100 { subject.send(value) }
        } else {
          let note = ReleaseNote { released.signal() }
          let disposable = subject.signal.subscribe { [token = lives.token()] _ in
            token.touch()
            withExtendedLifetime(note) {}
          }
          disposable.dispose()
        }
      }
      #expect(released.wait())
      #expect(lives.count <= 1)
    }
  }

  @Test func aPlainDispatchQueueHasNoScheduler() {
    let latch = Latch()
    let isAtHome = Box<Bool>()
    let starter = Box<String>()
    DispatchQueue(label: "test.rule8.plain").async {
      isAtHome.value = CurrentScheduler.scheduler != nil
      Signal<Int, Never>.create { observer in
        starter.value = CurrentScheduler.scheduler?.identity.name
        observer.complete()
      }
      .subscribe(completed: { latch.signal() })
    }
    #expect(latch.wait())
    #expect(isAtHome.value == false)
    #expect(starter.value == QueueScheduler.background.identity.name)
  }

  @Test func theHopOfAColdStartIsRecorded() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      func hops() throws -> Int {
        let reader = try TraceReader(path: Trace.path ?? "", recordLimit: 1 << 12)
        return try reader.snapshot().records.count { $0.kind == .hopScheduled }
      }
      Signal<Int, Never>.just(1).subscribe()
      let before = try hops()
      onPlainThread {
        let latch = Latch()
        Signal<Int, Never>.just(1).subscribe()
        Signal<Int, Never>.create { $0.complete() }.subscribe(completed: { latch.signal() })
        #expect(latch.wait())
      }
      #expect(before == 0)
      #expect(try hops() == 1)
    }
  }
}
