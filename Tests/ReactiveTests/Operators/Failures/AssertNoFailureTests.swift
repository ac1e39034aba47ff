import Reactive
import ReactiveTesting
import Testing

@Suite struct AssertNoFailureTests {
  @Test func valuesAndCompletionPass() {
    expectMarbles("-1-2-|", "-1-2-|") { $0.assertNoFailure() }
  }

  @Test func aFailureTrapsWithTheNameAndThePlace() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let failing = Signal<Int, TestFailure>.failed(TestFailure(code: 3)).named("feed").map { $0 }
      failing.assertNoFailure("it never does").subscribe()
    }
    let bytes = try #require(result?.standardErrorContent)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("AssertNoFailureTests.swift:"))
    #expect(text.contains("feed.map(…) failed with TestFailure(code: 3): it never does"))
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("assertNoFailure", .handlesFailure) { source in
      source.catch { _ in Signal<Int, ContractFailure>.empty() }.assertNoFailure()
    }
  }
}
