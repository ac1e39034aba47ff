import InspectorUI
import Testing
import TraceModel

/// Frequent questions about a program: at most six key presses lead from the map to each answer.
@Suite struct TenQuestionsTests {
  /// The text of the screen after the given presses.
  private func answer(_ presses: String..., comparing other: String? = nil) throws -> String {
    #expect(presses.count <= 6)
    return try Gateway.press(presses, comparing: other).text
  }

  @Test func whichSubscriptionsDoesThisObjectHold() throws {
    let closed = try answer(":", "owner #21", "<Enter>")
    #expect(closed.contains("holds         0 subscriptions now, 1 ever"))
    #expect(closed.contains("subscribe@Panel.swift:40 #5  cancelled at 1.502 s"))
    let open = try answer("/", "Panel.swift:40", "<Enter>", "d")
    #expect(open.contains("DisposableBag@Panel.swift:12 #20  holds 1 of the line, 1 now, 1 ever"))
  }

  @Test func howManyValuesPerSecondPassThroughThisLine() throws {
    let text = try answer("/", "Panel.swift:40", "<Enter>")
    #expect(text.contains("subscribe@Panel.swift:40  live 1 of 2 ever"))
    #expect(text.contains("events/s"))
  }

  @Test func whatCancelledThisSubscription() throws {
    let line = try answer("/", "Panel.swift:40", "<Enter>", "d")
    let who = "cancelled, disposed of by its owner DisposableBag@Panel.swift:12 #21"
    #expect(line.contains("#5") && line.contains(who), "\(line)")
  }

  @Test func whatWasTheLastValueHere() throws {
    let text = try answer("/", "Panel.swift:40", "<Enter>")
    #expect(text.contains("value     42 C  at 1.950 s"), "\(text)")
  }

  @Test func whatRunsOnThisQueueNow() throws {
    let text = try answer(":", "queue net", "<Enter>")
    #expect(text.contains("Running now: 1"), "\(text)")
    #expect(text.contains("hop 50  for 200 ms  scheduled by debounce@Inlet.swift:9 #2"))
    #expect(text.contains("Waiting now: 1"))
    #expect(text.contains("hop 51  for 100 ms  scheduled by debounce@Inlet.swift:9 #2"))
    #expect(try answer("h", "/", "net", "<Enter>", "<Enter>").contains("Running now: 1"))
  }

  @Test func whichCodeScheduledThis() throws {
    let text = try answer("e", "/", "hop 50 on gateway.net", "<Enter>", "<Enter>")
    #expect(text.contains("scheduled by  debounce@Inlet.swift:9 #2"), "\(text)")
  }

  @Test func whichSignalsBelongToThisTask() throws {
    let text = try answer(":", "tasks", "<Enter>")
    #expect(text.contains("Tasks and actors are not recorded"))
  }

  @Test func whatHappenedInTheSecondsBeforeTheError() throws {
    let text = try answer("(", "e")
    #expect(text.contains("failed") && text.contains("TimeOut"), "\(text)")
    #expect(text.contains("hop 40 on main"))
  }

  @Test func howDoesThisRunDifferFromYesterdays() throws {
    let text = try answer(
      ":",
      "diff yesterday.rxtrace",
      "<Enter>",
      comparing: Gateway.text(health: 7)
    )
    #expect(text.contains("yesterday.rxtrace"), "\(text)")
  }

  @Test func whatIsAliveInMyModule() throws {
    let filtered = try answer("\\", "module=Gateway", "<Enter>")
    #expect(filtered.contains("debounce") && !filtered.contains("Health"), "\(filtered)")
    let folded = try answer(":", "module Gateway", "<Enter>")
    #expect(folded.contains("debounce"))
    #expect(folded.contains("Net") && !folded.contains("Health.swift"), "\(folded)")
    let rows = try answer("u", "\\", "module=net", "<Enter>")
    #expect(rows.contains("Health.swift") && !rows.contains("Panel.swift"))
  }
}
