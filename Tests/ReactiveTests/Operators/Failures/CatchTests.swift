import Reactive
import ReactiveTesting
import Testing

@Suite struct CatchTests {
  @Test func continuesWithAnotherSignal() {
    expectMarbles("-1-2-#", "-1-2--3-|") { signal, time in
      signal.catch { _ in time.cold("-3-|") }
    }
  }

  @Test func completionPasses() {
    expectMarbles("-1-2-|", "-1-2-|") { signal in
      signal.catch { _ in Signal<String, MarbleFailure>.just("9") }
    }
  }

  @Test func aFailureOfTheOtherIsForwarded() {
    expectMarbles("-1-#", "-1--#") { signal, time in signal.catch { _ in time.cold("-#") } }
  }

  @Test func passesTheFailureToItsClosure() {
    let seen = Signal<Int, TestFailure>.failed(TestFailure(code: 5))
      .catch { Signal<Int, Never>.just($0.code) }
      .recorded()
    #expect(seen.events == [.next(5), .completed])
  }

  @Test func disposalEndsTheOtherSignal() {
    let time = TestScheduler()
    let other = MarbleSource(cold: "-1-1-1", on: time)
    let seen = time.cold("-#").catch { _ in other.signal }.recorded()
    time.advance(by: .frames(3))
    #expect(other.activeCount == 1)
    seen.dispose()
    #expect(other.activeCount == 0)
  }

  @Test func continuesWithAFixedSignal() {
    expectMarbles("-1-2-#", "-3-|", "-1-2--3-|") { $0.catch(to: $1) }
    expectMarbles("-1-2-|", "-3-|", "-1-2-|") { $0.catch(to: $1) }
    expectMarbles("-1-#", "-#", "-1--#") { $0.catch(to: $1) }
  }

  @Test func theFixedSignalIsNotSubscribedToBeforeTheFailure() {
    let time = TestScheduler()
    let other = MarbleSource(cold: "-|", on: time)
    _ = time.cold("--#").catch(to: other.signal).recorded()
    time.run()
    #expect(other.subscriptions.map(\.began) == [.frames(2)])
  }

  @Test func obeysTheOperatorContract() {
    let other = Signal<Int, Never>.just(9)
    checkOperatorContract("catch(to:)", .handlesFailure) { $0.catch(to: other) }
    checkOperatorContract("catch", .handlesFailure) { source in
      source.catch { _ in Signal<Int, Never>.just(9) }
    }
  }
}
