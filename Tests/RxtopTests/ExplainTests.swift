import Foundation
import Testing

/// `rxtop explain` on a sample trace and on programs of the corpus.
@Suite(.enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }))
struct ExplainTests {
  private static let trace = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "traces/watchtower-leak-1.0.rxtrace").path

  private func explain(
    _ arguments: String...,
    of trace: String = ExplainTests.trace
  ) throws -> String {
    let outcome = try Programs.run(try #require(Programs.rxtop), ["explain", trace] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  /// Records a program of the corpus and returns the path of its trace.
  private func corpus(_ name: String, in scratch: Scratch) throws -> String {
    let file = scratch.path("\(name).rxtrace")
    let outcome = try Programs.run(
      try #require(CorpusProgram.path),
      [name],
      environment: ["RXTRACE": "events,size=4M,file=\(file)"]
    )
    #expect(outcome.status == 0)
    return file
  }

  @Test func aSubscriptionIsFollowedToWhereItStops() throws {
    #expect(
      try explain("subscription", "197", "--no-backtrace") == """
        subscription #197: subscribe@Pane.swift:94, made 15 s ago

          subscribe  Pane.swift:94   #197  0 events
        ▶ filter     Pane.swift:92   #198  0 events
          scan       Pane.swift:91   #199  66 events, last 77 ms ago
          merge      Pane.swift:90   #200  66 events, last 77 ms ago
          map        Pane.swift:89   #201  60 events, last 77 ms ago
          publish    Tower.swift:29  #202  60 events, last 77 ms ago
          publish    Tower.swift:29  #54  60 events, last 77 ms ago
          interval   Tower.swift:29  #55  60 events, last 77 ms ago

        filter@Pane.swift:92 is where it stops: nothing has ever passed there, \
        though scan@Pane.swift:91 sent 66 values, the last 77 ms ago.

        Known:
          found at subscribe@Pane.swift:94 (LEAK, growth at one site): 28 live of 28 ever subscribed \
        here; 4 more in each of 6 rounds (round 2 … round 7), with 5 operators above it.
          the last value at scan@Pane.swift:91 is event #75526
          the last value at merge@Pane.swift:90 is event #75525
          the last value at map@Pane.swift:89 is event #75524
          the last value at publish@Tower.swift:29 is event #75523
          the last value at publish@Tower.swift:29 is event #75506
          the last value at interval@Tower.swift:29 is event #75505

        Not known:
          which values filter@Pane.swift:92 dropped: RXTRACE=values records what they were

        """
    )
  }

  @Test func aValueIsFollowedToItsFate() throws {
    #expect(
      try explain("value", "57542") == """
        event #57542: value 2 of publish at Pane.swift:54

          publish  Pane.swift:54  sent  #57542
          map      Pane.swift:90  passed  #57547
          merge    Pane.swift:90  passed  #57552
          scan     Pane.swift:91  passed  #57557
        ▶ filter   Pane.swift:92  not passed

        It was filtered by filter at Pane.swift:92.

        """
    )
  }

  @Test func aValueThatMadeAStageFailIsReported() throws {
    #expect(
      try explain("value", "8246", of: ExportTests.sample("failure")) == """
        event #8246: value 6 of deliver(on:) at Baskets.swift:97

          deliver(on:)  Baskets.swift:97  sent  #8246
        ▶ tryMap        Baskets.swift:98  failed  #8250

        It made tryMap at Baskets.swift:98 fail with corpus.Refusal.

        """
    )
  }

  @Test func aTriggerThatEndedASubscriptionIsReported() throws {
    #expect(
      try explain("value", "70317", of: ExportTests.sample("watchtower-leak")) == """
        event #70317: value 1 of Subject at Pane.swift:48

          Subject       Pane.swift:48  sent  #70317
        ▶ take(until:)  Pane.swift:62  completed  #70369

        It ended take(until:) at Pane.swift:62: that completed because of it.

        """
    )
  }

  @Test func anErrorIsFollowedToItsHandler() throws {
    let scratch = try Scratch()
    let file = try corpus("failures-2", in: scratch)
    let text = try Programs.rxtop("explain", file, "error").output
    #expect(text.contains("▶ tryMap     Baskets.swift:"))
    #expect(text.contains("\n  subscribe  Baskets.swift:"))
    #expect(text.contains("where nothing handles it."))
    #expect(text.contains("asynchronously invoked") || text.contains("Backtrace:"))
    let handled = try corpus("failures-4", in: scratch)
    let other = try Programs.rxtop("explain", handled, "error", "--no-backtrace").output
    #expect(other.contains("was handled by catch at Baskets.swift:"))
  }

  @Test func aSubscriptionIsFoundByTheLineThatMadeIt() throws {
    let byNumber = try explain("subscription", "197", "--no-backtrace")
    #expect(try explain("subscription", "#197", "--no-backtrace") == byNumber)
    let oldest = try explain("subscription", "subscribe@Pane.swift:94", "--no-backtrace")
    #expect(oldest.hasPrefix("subscription #"))
    #expect(oldest.contains("subscriptions made at subscribe@Pane.swift:94 that are alive"))
    let place = try explain("subscription", "Pane.swift:94", "--no-backtrace")
    #expect(place.split(separator: "\n").first == oldest.split(separator: "\n").first)
    // This is the line of an operator, on which no root subscription is made.
    let stage = try explain("subscription", "Pane.swift:92", "--no-backtrace")
    #expect(stage.contains(": filter@Pane.swift:92, made"))
  }

  @Test func jsonHasTheSameAnswer() throws {
    let text = try explain("subscription", "197", "--json")
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let steps = try #require(object?["steps"] as? [[String: Any]])
    #expect(steps.count { $0["isCulprit"] as? Bool == true } == 1)
    #expect(object?["subject"] as? String == "subscription")
    let answer = try #require(object?["answer"] as? String)
    #expect(try explain("subscription", "197").contains(answer))
  }

  @Test(
    arguments: [
      (["subscription", "999999"], 3, "the trace has no record of subscription #999999;"),
      (["value", "1"], 3, "event #1 is not in the trace"),
      (["error"], 3, "the records of the trace contain no error"),
      (["subscription"], 2, "needs a number, or the line of code it was made at"),
      (["value"], 2, "needs the number of its event; rxtop --once --screen events FILE shows"),
      (["queue", "1"], 2, "queue"),
      (["value", "Pane.swift:94"], 2, "'Pane.swift:94' is not the number of an event"),
      (["error", "-"], 2, "'-' is not the number of an event"),
      (["subscription", "Pane.swift:1"], 3, "nothing in the trace was made at 'Pane.swift:1';"),
    ] as [([String], Int32, String)]
  )
  func questionsWithoutAnAnswerAreRefusedWithTheReason(
    arguments: [String],
    status: Int32,
    message: String
  ) throws {
    let outcome = try Programs.run(
      try #require(Programs.rxtop),
      ["explain", Self.trace] + arguments
    )
    #expect(outcome.status == status)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test(
    arguments: [
      ("watchtower-leak", 133, "#133 is a timer, schedule(every:)@Pane.swift:107, not a"),
      ("watchtower-leak", 132, "#132 is an owner of subscriptions, CompositeDisposable@Tower."),
      ("watchtower-leak", 3759, "subscription #3759, Subject@Pane.swift:48, ended at 14.336 s;"),
      ("failure", 1, "#1 is a signal, Subject@Baskets.swift:95, not a subscription;"),
    ]
  )
  func aNumberThatIsNotASubscriptionIsReported(trace: String, number: Int, message: String) throws {
    let file = ExportTests.sample(trace)
    let outcome = try Programs.rxtop("explain", file, "subscription", "\(number)")
    #expect(outcome.status == 3)
    #expect(outcome.errors.hasPrefix("rxtop: error: \(message)"), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }
}
