import Reactive
import ReactiveTesting
import Testing

@Suite struct ElementAtTests {
  @Test func forwardsTheValueAtAPosition() {
    expectMarbles("-1-2-3-|", "---(2|)") { $0.element(at: 1) }
    expectMarbles("-1-2-3-|", "-(1|)") { $0.element(at: 0) }
  }

  @Test func aShorterSourceIsEmpty() {
    expectMarbles("-1-2-|", "-----|") { $0.element(at: 2) }
    expectMarbles("-1-2-#", "-----#") { $0.element(at: 2) }
  }

  @Test func endsItsSourceWithTheValue() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-|", on: time)
    _ = source.signal.element(at: 1).recorded()
    time.run()
    #expect(source.subscriptions.map(\.ended) == [.frames(3)])
    #expect(endless().element(at: 5).recorded().events == [.next(5), .completed])
  }

  @Test func aNilValueCounts() {
    let seen = Signal<Int?, Never>.from([1, nil, 3]).element(at: 1).recorded()
    #expect(seen.events == [.next(nil), .completed])
  }

  @Test func aNegativeIndexTraps() async {
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never().element(at: -1) }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("element(at:)", .endsEarly) { $0.element(at: 0) }
    checkOperatorContract("element(at:)", .endsEarly) { $0.element(at: 1) }
    checkOperatorContract("element(at:)") { $0.element(at: 9) }
  }
}
