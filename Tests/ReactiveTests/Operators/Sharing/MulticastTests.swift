import Reactive
import ReactiveTesting
import Testing

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

  // MARK: Each end dropped first

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

  @Test func whoSubscribesAfterTheConnectionWasDisposedOfIsDisposedAtOnce() {
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

  @Test func whoConnectsFromInsideTheConnectionChangesNothing() {
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
}
