import Reactive
import ReactiveTesting
import Testing

@Suite struct StartWithTests {
  @Test func sendsItsValuesFirst() {
    expectMarbles("---1-2-|", "(0)--1-2-|") { $0.startWith("0") }
    expectMarbles("---1-#", "(ab)--1-#") { $0.startWith("a", "b") }
  }

  @Test func subscribesToTheSourceAfterwards() {
    let order = Recorder<String, Never>()
    Signal<Int, Never>.create { observer in
      order.next("subscribed")
      observer.complete()
    }
    .startWith(1, 2)
    .subscribe { order.next("value \($0)") }
    #expect(order.values == ["value 1", "value 2", "subscribed"])
  }

  @Test func disposalFromInsideAValueKeepsTheSourceFromBeingSubscribedTo() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-|", on: time)
    let seen = source.signal.startWith("a", "b").take(1).recorded()
    #expect(seen.events == [.next("a"), .completed])
    #expect(source.subscriptions.isEmpty)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("startWith") { $0.startWith(0) }
  }
}
