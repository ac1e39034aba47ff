import Glibc
import Reactive
import ReactiveTesting
import Testing

@Suite struct BreakpointTests {
  @Test func raisesATrapAtAValue() async {
    await #expect(processExitsWith: .signal(SIGTRAP)) {
      Signal<Int, Never>.from([1, 2]).breakpoint(next: { $0 == 2 }).subscribe { value in
        if value == 2 { exit(EXIT_SUCCESS) }
      }
    }
  }

  @Test func raisesATrapAtAFailure() async {
    await #expect(processExitsWith: .signal(SIGTRAP)) {
      Signal<Int, TestFailure>.failed(TestFailure()).breakpointOnFailure().subscribe()
    }
  }

  @Test func raisesATrapAtCompletion() async {
    await #expect(processExitsWith: .signal(SIGTRAP)) {
      Signal<Int, Never>.empty().breakpoint(completed: { true }).subscribe()
    }
  }

  @Test func otherwiseChangesNothing() {
    expectMarbles("-1-2-|", "-1-2-|") { $0.breakpoint(next: { $0 == "3" }).breakpointOnFailure() }
    expectMarbles("-1-2-#", "-1-2-#") { $0.breakpoint(failed: { _ in false }) }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("breakpoint") { $0.breakpoint() }
    checkOperatorContract("breakpoint") { $0.breakpoint(next: { $0 > 100 }) }
  }
}
