import Foundation
import Testing

/// The statements of `rxtop agent-guide` are true.
@Suite(.enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }))
struct AgentGuideTests {
  private static let leak = ExportTests.sample("watchtower-leak")

  private func answers(_ arguments: String...) throws -> [String: Any] {
    let outcome = try Programs.run(
      try #require(Programs.rxtop),
      ["explain"] + arguments + ["--source-root", ExportTests.root.path, "--json"]
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    return try #require(json as? [String: Any])
  }

  @Test func theKeysNamedInTheGuideMatchThoseOfAnAnswer() throws {
    let guide = try Programs.rxtop("agent-guide").output
    let answers = try answers(Self.leak, "finding")
    let schema = try #require(answers["schema"] as? [String: Any])
    #expect(
      guide.contains(
        #"{"name": "\#(schema["name"] ?? "")", "version": \#(schema["version"] ?? "")}"#
      )
    )
    let finding = try #require((answers["findings"] as? [[String: Any]])?.first)
    for key in Set(answers.keys).union(finding.keys).subtracting(["subject", "program"]) {
      #expect(guide.contains("`\(key)`"), "\(key)")
    }
    let named = guide.matches(of: /\n\|([^|]*)\|/).flatMap {
      $0.output.1.matches(of: /`([a-zA-Z]+)`/).map { String($0.output.1) }
    }
    #expect(named.count > 12)
    for key in named { #expect(answers[key] != nil || finding[key] != nil, "\(key)") }
  }

  @Test func theFirstAnswerNamesTheLeakingLineAndHowToEditIt() throws {
    let answers = try answers(Self.leak, "finding")
    #expect(answers["isComplete"] as? Bool == true)
    let finding = try #require((answers["findings"] as? [[String: Any]])?.first)
    #expect(finding["file"] as? String == "Examples/watchtower/Pane.swift")
    #expect(finding["line"] as? Int == 94)
    #expect((finding["edit"] as? String)?.contains("Keep the disposable") == true)
    let fingerprint = try #require(finding["fingerprint"] as? String)
    let one = try #require(
      try self.answers(Self.leak, "finding", fingerprint)["findings"] as? [[String: Any]]
    )
    #expect(one.count == 1 && one.first?["line"] as? Int == 94)
    let second = try #require(
      try self.answers(Self.leak, "finding", "2")["findings"] as? [[String: Any]]
    )
    #expect(second.count == 1 && second.first?["line"] as? Int != 94)
  }

  @Test func aMissingFindingIsReportedInOneSentence() throws {
    let outcome = try Programs.rxtop("explain", Self.leak, "finding", "9")
    #expect(outcome.status == 3)
    #expect(
      outcome.errors
        == "rxtop: error: there is no finding '9' among the 2 of this recording; give a number from 1 to 2, or a fingerprint from rxtop explain FILE finding --json\n"
    )
  }

  @Test func rxtopAcceptsEveryCommandInTheGuide() throws {
    let guide = try Programs.rxtop("agent-guide").output
    let commands = guide.split(separator: "\n").compactMap { line in
      line.hasPrefix("    rxtop ") ? line.split(separator: "#").first?.split(separator: " ") : nil
    }
    #expect(commands.count > 7)
    let scratch = try Scratch()
    for command in commands {
      let arguments = command.dropFirst()
        .map { word in
          switch word {
          case "/tmp/run.rxtrace", "/tmp/after.rxtrace": Self.leak
          case "/tmp/before.rxtrace": ExportTests.sample("watchtower")
          case "/tmp/run.db": scratch.path("run.db")
          case "File.swift:LINE": "Pane.swift:94"
          default: String(word)
          }
        }
      let outcome = try Programs.run(try #require(Programs.rxtop), arguments)
      // rxtop must accept each command and read its file. A command that looks for an error or a
      // crash may report that this recording has none.
      let isNothing =
        outcome.errors.contains("contain no error")
        || outcome.errors.contains("no crash is recorded")
      #expect(outcome.status <= 1 || isNothing, "\(arguments) \(outcome.errors)")
    }
  }
}
