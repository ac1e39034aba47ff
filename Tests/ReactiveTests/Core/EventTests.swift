import Reactive
import Testing

@Suite struct EventTests {
  @Test func failureAndCompletionAreTerminalAndAValueIsNot() {
    #expect(!Event<Int, TestFailure>.next(1).isTerminal)
    #expect(Event<Int, TestFailure>.failed(TestFailure()).isTerminal)
    #expect(Event<Int, TestFailure>.completed.isTerminal)
  }

  @Test func theDescriptionNamesTheKindAndThePayload() {
    #expect("\(Event<Int, Never>.next(1))" == "next(1)")
    #expect("\(Event<Int, Never>.completed)" == "completed")
    #expect("\(Event<Int, NamedError>.failed(NamedError()))" == "failed(oops)")
  }
}

private struct NamedError: Error, CustomStringConvertible {
  var description: String { "oops" }
}
