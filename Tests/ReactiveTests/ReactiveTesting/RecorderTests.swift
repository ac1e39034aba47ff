import Reactive
import ReactiveTesting
import Testing

@Suite struct RecorderTests {
  @Test func collectsValuesOfAClosure() {
    let seen = Recorder<Int, Never>()
    Signal<Int, Never>.from([1, 2]).subscribe { seen.next($0) }
    #expect(seen.values == [1, 2])
    #expect(seen.count == 2)
    seen.reset()
    #expect(seen.events.isEmpty)
  }

  @Test func recordsHowTheSignalEnded() {
    let failed = Signal<Int, TestFailure>.failed(TestFailure(code: 1)).recorded()
    #expect(failed.failure == TestFailure(code: 1))
    #expect(failed.hasEnded && !failed.isCompleted && failed.isDisposed)
    let completed = Signal<Int, TestFailure>.empty().recorded()
    #expect(completed.failure == nil)
    #expect(completed.hasEnded && completed.isCompleted && completed.isDisposed)
    let running = Signal<Int, TestFailure>.never().recorded()
    #expect(!running.hasEnded && !running.isDisposed)
    running.dispose()
    #expect(!running.hasEnded && running.isDisposed)
  }

  @Test func recordsTheVirtualTime() {
    let time = TestScheduler()
    let seen = time.cold("-1-|").recorded(at: time)
    time.run()
    #expect(seen.entries.map(\.time) == [.frames(1), .frames(3)])
  }

  @Test func recordsOneSignalAtATime() {
    let first = Subject<Int, Never>()
    let second = Subject<Int, Never>()
    let seen = first.signal.recorded()
    seen.record(second.signal)
    first.send(1)
    second.send(2)
    #expect(seen.values == [2])
  }

  @Test(.tags(.stress)) func collectsFromSeveralThreads() {
    let seen = Recorder<Int, Never>()
    let count = scaledCount(2_000)
    onPlainThreads(4) { _ in for value in 0..<count { seen.next(value) } }
    #expect(seen.count == 4 * count)
  }

  @Test func drawsItsEventsInFramesOfItsScheduler() {
    let time = TestScheduler("slow", frame: .seconds(1))
    let seen = time.cold("-1-(2a)-|").recorded(at: time)
    time.run()
    #expect(time.now == .seconds(5))
    #expect(seen.marbles() == "-1-(2a)-|")
    #expect("\(seen.marbles())" == "-1-(2a)-|")
  }

  @Test func drawsLongValuesByTheirCharacter() {
    let time = TestScheduler()
    let seen = time.cold("-a-b-#", where: ["a": 10, "b": 20], failure: TestFailure())
      .recorded(at: time)
    time.run()
    #expect(seen.marbles(where: ["x": "10", "y": "20"]) == "-x-y-#")
    #expect(seen.marbles() == "-A-B-#")
  }

  @Test func drawsFramesOfAnHourAtTheirHour() {
    let time = TestScheduler(frame: .seconds(3600))
    let subject = Subject<Int, Never>()
    let seen = subject.signal.recorded(at: time)
    for _ in 0..<200 {
      subject.send(1)
      time.advance(by: .seconds(3600))
    }
    #expect(seen.marbles() == Marbles((0..<200).map { Marbles.Item(frame: $0, event: .next("1")) }))
  }

  @Test func drawsEventsThatWereRecordedAfterARewind() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let seen = subject.signal.recorded(at: time)
    time.advance(by: .frames(5))
    subject.send(5)
    time.rewind(to: .frames(2))
    subject.send(2)
    #expect("\(seen.marbles())" == "--2--5")
  }
}
