import Reactive
import ReactiveTesting
import Testing

@Suite struct TakeTests {
  @Test func completesWithTheLastValue() {
    expectMarbles("-1-2-3-4-|", "-1-(2|)") { $0.take(2) }
  }

  @Test func aShorterSourceEndsAsItDoes() {
    expectMarbles("-1-|", "-1-|") { $0.take(5) }
    expectMarbles("-1-#", "-1-#") { $0.take(5) }
  }

  @Test func takingNoneCompletesWithoutSubscribing() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-|", on: time)
    let seen = source.signal.take(0).recorded()
    #expect(seen.events == [.completed])
    #expect(source.subscriptions.isEmpty)
  }

  @Test func endsItsSourceWithTheLastValue() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-|", on: time)
    _ = source.signal.take(2).recorded()
    time.run()
    #expect(source.subscriptions.map(\.ended) == [.frames(3)])
  }

  @Test func valuesSentReentrantlyDoNotExceedTheCount() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    subject.signal.take(2).subscribe { value in
      seen.next(value)
      subject.send(value + 1)
    }
    subject.send(1)
    #expect(seen.values == [1, 2])
  }

  @Test func aNegativeCountTraps() async {
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never().take(-1) }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("take", .endsEarly) { $0.take(2) }
    checkOperatorContract("take") { $0.take(9) }
  }
}
