import Reactive
import ReactiveTesting
import Testing

@Suite struct MapFailureTests {
  @Test func replacesTheFailure() {
    let seen = Signal<Int, ContractFailure>.failed(ContractFailure())
      .mapFailure { _ in TestFailure(code: 7) }
      .recorded()
    #expect(seen.events == [.failed(TestFailure(code: 7))])
  }

  @Test func runsNothingWithoutAFailure() {
    let calls = Counter()
    let seen = Signal<Int, ContractFailure>.from([1, 2])
      .mapFailure { _ in TestFailure(code: calls.add()) }
      .recorded()
    #expect(seen.events == [.next(1), .next(2), .completed])
    #expect(calls.value == 0)
  }

  @Test func promotedSignalsCanBeCombinedWithSignalsThatFail() {
    let safe = Signal<Int, Never>.just(1)
    let risky = Signal<Int, TestFailure>.failed(TestFailure())
    let seen = safe.promoteFailure(to: TestFailure.self).concat(risky).recorded()
    #expect(seen.events == [.next(1), .failed(TestFailure())])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("mapFailure") { $0.mapFailure { _ in TestFailure() } }
    checkOperatorContract("promoteFailure", .handlesFailure) { source in
      source.catch { _ in Signal<Int, Never>.empty() }.promoteFailure(to: TestFailure.self)
    }
  }
}
