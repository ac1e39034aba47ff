import Reactive
import ReactiveTesting
import Testing

@Suite struct TimestampedTests {
  @Test func addsTheTimeOfEachValuesArrival() {
    let time = TestScheduler()
    time.advance(by: .seconds(1))
    let seen = time.cold("-1-2-|").timestamped(on: time).recorded()
    time.run()
    #expect(
      seen.values == [
        Timestamped("1", at: .milliseconds(1_001)), Timestamped("2", at: .milliseconds(1_003)),
      ]
    )
    #expect(seen.isCompleted)
  }

  @Test func measuresTheTimeBetweenValues() {
    let time = TestScheduler()
    time.advance(by: .seconds(1))
    let seen = time.cold("-1--(23)-#").measureInterval(on: time).recorded()
    time.run()
    #expect(seen.values == [.frames(1), .frames(3), .zero])
    #expect(seen.failure != nil)
  }

  @Test func schedulesNothing() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let seen = subject.signal.timestamped(on: time).map(\.time).recorded()
    let measured = subject.signal.measureInterval(on: time).recorded()
    subject.send(1)
    #expect(time.pendingCount == 0)
    #expect(seen.values == measured.values)
  }

  @Test func itsDescriptionContainsValueAndTime() {
    #expect("\(Timestamped(1, at: .milliseconds(1_500)))" == "1 at 1.5 seconds")
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("timestamped") { signal, time in signal.timestamped(on: time) }
    checkOperatorContract("measureInterval") { signal, time in signal.measureInterval(on: time) }
  }
}
