import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

@Suite struct MulticastTests {
  @Test func publishSharesOneSubscription() {
    let starts = Counter()
    let connection = Signal<Int, Never>.create { observer in
      starts.add()
      observer.send(1)
      observer.complete()
    }
    .publish()
    let first = connection.signal.recorded()
    let second = connection.signal.recorded()
    #expect(starts.value == 0)
    connection.connect()
    connection.connect()
    #expect(starts.value == 1)
    #expect(first.events == [.next(1), .completed])
    #expect(second.events == [.next(1), .completed])
  }

  @Test func aLateSubscriberOfPublishGetsTheEnd() {
    let connection = Signal<Int, TestFailure>.failed(TestFailure()).publish()
    connection.connect()
    #expect(connection.signal.recorded().events == [.failed(TestFailure())])
  }

  @Test func multicastKeepsTheLatestForLateSubscribers() {
    let subject = Subject<Int, Never>()
    let connection = subject.signal.multicast(capacity: 1)
    connection.connect()
    subject.send(1)
    subject.send(2)
    #expect(connection.signal.recorded().values == [2])
  }

  private static func connections() -> [Connection<Int, Never>] {
    let source = Subject<Int, Never>().signal
    return [
      source.multicast(capacity: 1),
      source.multicast(capacity: 0),
    ]
  }

  @Test func aTraceSaysWhetherValuesAreKept() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let connections = Self.connections()
      let sites = try TraceReader(path: try #require(Trace.path)).snapshot().sites
      let keeps = sites.filter { $0.name == "multicast" }.map { $0.traits.contains(.replays) }
      #expect(keeps == [true, false])
      withExtendedLifetime(connections) {}
    }
  }

  // MARK: Releasing the connection or the source first

  @Test func droppingAConnectionThatWasNeverMadeEndsItsSubscribers() {
    let seen = Recorder<Int, Never>()
    let subject = Subject<Int, Never>()
    do { seen.record(subject.signal.publish().signal) }
    #expect(seen.isDisposed)
    #expect(seen.events.isEmpty)
  }

  @Test func droppingAConnectionThatWasMadeChangesNothing() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    do {
      let connection = subject.signal.publish()
      seen.record(connection.signal)
      connection.connect()
    }
    subject.send(1)
    #expect(seen.values == [1])
    #expect(!seen.isDisposed)
  }

  @Test func disposingOfTheConnectionEndsItsSubscribersWithoutAnEvent() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3", on: time)
    let connection = source.signal.publish()
    let seen = connection.signal.recorded()
    let disposable = connection.connect()
    time.advance(by: .frames(2))
    disposable.dispose()
    #expect(source.activeCount == 0)
    #expect(seen.values == ["1"])
    #expect(seen.isDisposed)
    #expect(!seen.hasEnded)
  }

  @Test func aSubscriptionAfterTheConnectionWasDisposedOfEndsAtOnce() {
    let subject = Subject<Int, Never>()
    let connection = subject.signal.multicast(capacity: 1)
    let disposable = connection.connect()
    subject.send(1)
    disposable.dispose()
    #expect(connection.connect().isDisposed)
    let late = connection.signal.recorded()
    #expect(late.isDisposed)
    #expect(!late.hasEnded)
  }

  @Test func droppingTheSourceEndsTheSubscribersWithoutAnEvent() {
    let seen = Recorder<Int, Never>()
    let connection: Connection<Int, Never>
    do {
      let subject = Subject<Int, Never>()
      connection = subject.signal.publish()
      seen.record(connection.signal)
      connection.connect()
      subject.send(1)
    }
    #expect(seen.events == [.next(1)])
    #expect(seen.isDisposed)
    withExtendedLifetime(connection) {}
  }

  @Test func subscribersComeAndGoWithoutAnyEffectOnTheSource() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3", on: time)
    let connection = source.signal.publish()
    let shared = connection.connect()
    connection.signal.recorded().dispose()
    #expect(source.activeCount == 1)
    time.advance(by: .frames(2))
    let seen = connection.signal.recorded()
    time.run()
    #expect(seen.values == ["2", "3"])
    shared.dispose()
  }

  @Test func connectReturnsTheSameDisposableAndNeverReconnects() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-|", on: time)
    let connection = source.signal.publish()
    let first = connection.connect()
    #expect(connection.connect() === first)
    first.dispose()
    #expect(connection.connect() === first)
    #expect(source.subscriptions.count == 1)
  }

  @Test func connectingFromInsideTheConnectionChangesNothing() {
    let starts = Counter()
    let connections = Box<Connection<Int, Never>>()
    let connection = Signal<Int, Never>.create { observer in
      starts.add()
      connections.value?.connect()
      observer.send(1)
    }
    .publish()
    connections.value = connection
    let seen = connection.signal.recorded()
    connection.connect()
    connections.value = nil
    #expect(starts.value == 1)
    #expect(seen.values == [1])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("multicast", .sharesSource) { source in
      let connection = source.multicast(capacity: 1)
      connection.connect()
      return connection.signal
    }
    checkOperatorContract("publish", .sharesSource) { source in
      let connection = source.publish()
      connection.connect()
      return connection.signal
    }
  }

  // MARK: Through a subject

  @Test(arguments: ["Subject", "BehaviorSubject", "ReplaySubject", "AsyncSubject"])
  func aSubjectDecidesWhatLateSubscribersGet(_ name: String) {
    let source = Subject<Int, TestFailure>()
    let starts = Counter()
    let counted = source.signal.doStarted { starts.add() }
    let connection =
      switch name {
      case "Subject": counted.multicast(Subject())
      case "BehaviorSubject": counted.multicast(BehaviorSubject(0))
      case "ReplaySubject": counted.multicast(ReplaySubject(capacity: 2))
      default: counted.multicast(AsyncSubject())
      }
    let early = connection.signal.recorded()
    source.send(1)
    connection.connect()
    source.send(2)
    source.send(3)
    let late = connection.signal.recorded()
    source.send(4)
    source.complete()
    let values: (early: [Int], late: [Int]) =
      switch name {
      case "Subject": ([2, 3, 4], [4])
      case "BehaviorSubject": ([0, 2, 3, 4], [3, 4])
      case "ReplaySubject": ([2, 3, 4], [2, 3, 4])
      default: ([4], [4])
      }
    #expect(early.values == values.early)
    #expect(late.values == values.late)
    #expect(early.isCompleted && late.isCompleted)
    #expect(starts.value == 1)
  }

  @Test func aFailureReachesTheSubject() {
    let subject = Subject<Int, TestFailure>()
    let connection = Signal<Int, TestFailure>.failed(TestFailure()).multicast(subject)
    let seen = connection.signal.recorded()
    connection.connect()
    #expect(seen.events == [.failed(TestFailure())])
    #expect(subject.signal.recorded().events == [.failed(TestFailure())])
  }

  @Test func othersMaySendToTheSubjectAndItOutlivesTheConnection() {
    let source = Subject<Int, Never>()
    let subject = Subject<Int, Never>()
    let connection = source.signal.multicast(subject)
    let seen = connection.signal.recorded()
    let shared = connection.connect()
    source.send(1)
    subject.send(2)
    shared.dispose()
    source.send(3)
    subject.send(4)
    #expect(seen.events == [.next(1), .next(2), .next(4)])
  }

  @Test func theConnectionHoldsTheSubjectAndOnceConnectedTheSourceDoesToo() {
    let seen = Recorder<Int, Never>()
    let unheard = Recorder<Int, Never>()
    let source = Subject<Int, Never>()
    do {
      let connection = source.signal.multicast(Subject())
      seen.record(connection.signal)
      connection.connect()
      let other = source.signal.multicast(Subject())
      unheard.record(other.signal)
      #expect(!unheard.isDisposed)
      withExtendedLifetime(other) {}
    }
    #expect(unheard.isDisposed, "never connected")
    source.send(1)
    #expect(seen.values == [1])
    #expect(!seen.isDisposed)
  }

  @Test func autoconnectGoesThroughTheSubject() {
    let source = Subject<Int, Never>()
    let shared = source.signal.multicast(ReplaySubject()).autoconnect()
    let first = shared.recorded()
    source.send(1)
    let second = shared.recorded()
    source.send(2)
    #expect(first.values == [1, 2])
    #expect(second.values == [1, 2])
  }
}
