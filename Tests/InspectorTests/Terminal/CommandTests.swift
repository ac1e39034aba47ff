import InspectorUI
import ReactiveTrace
import Testing
import TraceModel

@Suite struct CommandTests {
  private func path(
    _ argument: String,
    files: [String] = [],
    processes: [Int32: RunningProcess] = [:]
  )
    throws -> String
  {
    try TraceTarget.path(
      for: argument,
      among: [],
      fileExists: files.contains,
      mapped: { _ in [] },
      runningProcess: { processes[$0] }
    )
  }

  @Test func anArgumentThatNamesAFileIsThatFileEvenIfItIsANumber() throws {
    #expect(try path("app.rxtrace", files: ["app.rxtrace"]) == "app.rxtrace")
    #expect(try path("4711", files: ["4711"]) == "4711")
  }

  @Test func theErrorForAnUntracedProcessSaysHowToRestartIt() {
    let error = #expect(throws: TraceTargetError.self) {
      try path("4711", processes: [4711: RunningProcess(name: "server")])
    }
    #expect(
      error?.description
        == "process 4711 ('server') is not traced, and tracing can only be switched on when a process starts; restart it as RXTRACE=1 server"
    )
  }

  @Test func aProcessOfAnotherUserIsNotCalledUntraced() {
    for (name, shown) in [
      ("server\u{1B}[2J", "process 4711 ('server<U+001B>[2J')"), (nil, "process 4711"),
    ] {
      let error = #expect(throws: TraceTargetError.self) {
        try path("4711", processes: [4711: RunningProcess(name: name, isOfAnotherUser: true)])
      }
      #expect(error?.description.hasPrefix("\(shown) belongs to another user, ") == true)
    }
  }

  @Test func anArgumentThatRefersToNothingIsReported() {
    #expect(throws: TraceTargetError.self) { try path("nothing.rxtrace") }
    #expect(throws: TraceTargetError.self) { try path("99999999999") }
    let error = #expect(throws: TraceTargetError.self) { try path("4712") }
    #expect(error?.description.contains("there is no process 4712") == true)
  }

  @Test func theExitStatusOfCheckDistinguishesCleanFromIncomplete() {
    var inspection = Fixture.watchtower()
    #expect(ExitStatus(checking: inspection, failOn: .leak) == .findings)
    #expect(ExitStatus(checking: inspection, failOn: .violation) == .clean)
    inspection.program.isIncomplete = true
    #expect(ExitStatus(checking: inspection, failOn: .violation) == .incomplete)
    #expect(ExitStatus(checking: inspection, failOn: .leak) == .findings)
  }

  @Test func usageErrorsExitWithTwo() {
    #expect(ExitStatus(argumentParser: 64) == .usage)
    #expect(ExitStatus(argumentParser: 1) == .unreadable)
  }
}
