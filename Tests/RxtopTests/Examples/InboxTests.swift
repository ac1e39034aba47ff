import Foundation
import Testing

/// Requests that depend on each other, sent to a server on the loopback interface.
@Suite(
  .enabled(
    "rxtop and inbox were not built beside the tests",
    { Programs.built("inbox") != nil }
  )
)
struct InboxTests {
  @Test func eachRequestFollowsTheOneBefore() async throws {
    let program = try ExampleProcess("inbox")
    #expect(try await program.end() == 0)
    #expect(
      program.output == """
        read before: Hello, Lunch?
        new: Minutes, Invoice
        Fetched all messages.

        """
    )
    #expect(program.errors.isEmpty)

    let trace = try ExampleTrace(program.trace, of: "inbox")
    try trace.expect([
      ("data(for:)", "MailClient.swift", "reactive.data(for: request)"),
      ("mapFailure", "MailClient.swift", ".mapFailure"),
      ("deferred", "MailClient.swift", "Signal.deferred"),
      ("ignoreValues", "MailClient.swift", ".ignoreValues()"),
      ("then", "Inbox.swift", ".then {"),
      ("flatMap", "Inbox.swift", ".flatMap { messages"),
      ("deliver(on:)", "Inbox.swift", ".deliver(on: .main)"),
      ("subscribe", "Inbox.swift", "  .subscribe("),
    ])
    trace.expectHops(on: "URLSession", "main")
  }

  @Test(arguments: [
    (["wrong"], "the server refuses '/login' with status 403", 0),
    (["engine", "0"], "the server does not answer '/login'", 0),
    (["engine", "1"], "the server does not answer '/read'", 0),
    (["engine", "2"], "the server does not answer '/new/2'", 1),
  ])
  func everyFailedRequestIsReportedInOnePlace(
    arguments: [String],
    message: String,
    lines: Int
  ) async throws {
    let program = try ExampleProcess("inbox", arguments)
    #expect(try await program.end() == 1)
    #expect(program.errors == "inbox: \(message)\n")
    #expect(program.output.split(separator: "\n").count == lines)
  }
}
