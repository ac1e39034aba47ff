import Dispatch
import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing

/// Rule 8: subscription happens on a scheduler: at once where there is a current one; elsewhere a cold
/// source and a replay start on the background scheduler, and a hot source registers at once.
@Suite struct Rule08SchedulingTests {
  @Test func aSwiftTaskHasAScheduler() async {
    #expect(Signal<Int, Never>.just(1).recorded().events == [.next(1), .completed])
  }

  @Test @MainActor func theMainThreadHasAScheduler() {
    #expect(Signal<Int, Never>.just(1).recorded().events == [.next(1), .completed])
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

  @Test func aColdSourceStartsElsewhereFromAPlainThread() {
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
    for _ in 0..<stress(500) {
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

  /// Whoever subscribes while another thread sends gets every value once.
  @Test(.tags(.stress)) func aReplayLosesAndDoublesNothingWhileAnotherThreadSends() {
    for _ in 0..<stress(300) {
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
    for _ in 0..<stress(300) {
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

  @Test func aPlainDispatchQueueHasNone() {
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
        Signal<Int, Never>.just(1).subscribe(completed: { latch.signal() })
        #expect(latch.wait())
      }
      #expect(before == 0)
      #expect(try hops() == 1)
    }
  }
}
