import Reactive
import ReactiveTesting
import Testing

@Suite struct AutoconnectTests {
  @Test func connectsWithTheFirstAndEndsWithTheLastSubscriber() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-|", on: time)
    let shared = source.signal.publish().autoconnect()
    #expect(source.subscriptions.isEmpty)
    let first = shared.recorded()
    time.advance(by: .frames(2))
    let second = shared.recorded()
    first.dispose()
    time.advance(by: .frames(2))
    #expect(source.activeCount == 1)
    second.dispose()
    #expect(source.activeCount == 0)
    #expect(first.values == ["1"])
    #expect(second.values == ["2"])
  }

  @Test func aSubscriberAfterTheLastOneEndsAtOnceWithoutAnEvent() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-|", on: time)
    let shared = source.signal.multicast(capacity: 1).autoconnect()
    let first = shared.recorded()
    time.advance(by: .frames(2))
    first.dispose()
    let late = shared.recorded()
    #expect(late.isDisposed)
    #expect(late.events == [.next("1")])
    #expect(source.subscriptions.count == 1)
  }

  @Test func aSubscriberAfterTheEndOfTheSourceGetsTheEnd() {
    let shared = Signal<Int, TestFailure>.failed(TestFailure()).publish().autoconnect()
    #expect(shared.recorded().events == [.failed(TestFailure())])
    #expect(shared.recorded().events == [.failed(TestFailure())])
  }

  @Test func twoSignalsOfOneConnectionShareTheSubscriberCount() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-|", on: time)
    let connection = source.signal.publish()
    let first = connection.autoconnect().recorded()
    let second = connection.autoconnect().recorded()
    time.advance(by: .frames(2))
    first.dispose()
    time.advance(by: .frames(2))
    #expect(first.values == ["1"])
    #expect(second.values == ["1", "2"])
    #expect(source.activeCount == 1)
    second.dispose()
    #expect(source.activeCount == 0)
  }

  @Test func disposalFromInsideAValueEndsAnEndlessSource() {
    #expect(endless().publish().autoconnect().take(3).recorded().values == [0, 1, 2])
  }

  @Test func theSignalRetainsTheConnection() {
    let subject = Subject<Int, Never>()
    let shared: Signal<Int, Never>
    do { shared = subject.signal.publish().autoconnect() }
    let seen = shared.recorded()
    subject.send(1)
    #expect(seen.values == [1])
    #expect(!seen.isDisposed)
  }

  @Test func everythingIsFreedWithTheLastSubscriber() {
    let lives = LifeCount()
    do {
      let subject = Subject<Int, Never>()
      let shared = subject.signal.doNext { [token = lives.token()] _ in token.touch() }
        .publish().autoconnect()
      let seen = [shared.recorded(), shared.recorded()]
      subject.send(1)
      for one in seen { one.dispose() }
    }
    #expect(lives.count == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("autoconnect") { $0.publish().autoconnect() }
  }
}
