import Foundation
import Testing

/// What rxtop prints about a helper that subscribes for several callers.
@Suite(
  .enabled(
    "callers-program was not built beside the tests",
    { Programs.built("callers-program") != nil }
  )
)
struct HelperCallersTests {
  /// The folder in which the tests write traces.
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Runs the program with an argument, and returns the path of the trace.
  private func trace(
    _ what: String,
    options: String = "events,size=4M",
    program: String? = nil
  ) throws -> String {
    let file = scratch.path("\(what).rxtrace")
    let outcome = try Programs.run(
      try program ?? #require(Programs.built("callers-program")),
      [what],
      environment: ["RXTRACE": "\(options),file=\(file)"]
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    return file
  }

  private struct Findings: Decodable {
    struct Caller: Decodable {
      var function: String
      var accused: Int
      var ended: Int
    }
    struct Callers: Decodable {
      var shares: [Caller]
      var helpers: [String]
      var unknown: Int
      var isWhole: Bool
    }
    struct Finding: Decodable {
      var kind: String
      var caller: String?
      var callers: Callers?
    }
    var findings: [Finding]
  }

  private func findings(_ file: String) throws -> [Findings.Finding] {
    let output = try Programs.rxtop("check", "--json", "--fail-on", "info", file).output
    return try JSONDecoder().decode(Findings.self, from: Data(output.utf8)).findings
  }

  // MARK: Findings

  @Test(
    arguments: [
      ("growth", "growth-at-site", "Tile.open(_:)", [24, 0, 0], [0, 40, 16]),
      ("nested", "growth-at-site", "Tile.follow(_:)", [24, 0], [0, 40]),
      ("closure", "growth-at-site", "Tile.watch(_:)", [24, 0], [0, 40]),
      ("dropped", "growth-at-site", "Tile.drop(_:)", [24, 0], [0, 40]),
      ("tasks", "growth-at-site", "Tile.open(_:)", [24, 0], [0, 8]),
      ("failing", "unhandled-error", "Tile.load()", [5, 0], [0, 20]),
    ]
  )
  func aCallerThatMisusesAHelperIsAccused(
    what: String,
    kind: String,
    caller: String,
    accused: [Int],
    ended: [Int]
  ) throws {
    let found = try findings(trace(what))
    #expect(found.map(\.kind) == [kind])
    let finding = try #require(found.first)
    #expect(finding.caller?.hasPrefix("\(caller)@Panels.swift:") == true, "\(finding)")
    #expect(finding.callers?.shares.first?.function == caller)
    #expect(finding.callers?.shares.map(\.accused) == accused)
    #expect(finding.callers?.shares.map(\.ended) == ended)
    #expect(finding.callers?.isWhole == true)
    #expect(finding.callers?.unknown == 0)
  }

  @Test(arguments: [("operator", "Tile.edit(_:)", 4), ("inner", "Tile.leaf(_:_:)", 4)])
  func aCallerWithAWrongOperatorInAHelperIsAccused(
    what: String,
    caller: String,
    count: Int
  ) throws {
    let found = try findings(trace(what))
    #expect(found.map(\.kind) == ["values-lost"])
    let finding = try #require(found.first)
    #expect(finding.caller?.hasPrefix("\(caller)@Panels.swift:") == true, "\(finding)")
    #expect(finding.callers?.shares.map(\.accused) == [count, 0])
    #expect(finding.callers?.helpers.first?.contains("@Tracking.swift:") == true)
  }

  @Test func nestedHelpersAreBothNamed() throws {
    let found = try findings(trace("nested"))
    let helpers = try #require(found.first?.callers?.helpers)
    #expect(helpers.count == 2)
    #expect(helpers.first?.hasPrefix("Tracking.track(_:_:)@Tracking.swift:") == true)
    #expect(helpers.last?.hasPrefix("Tracking.follow(_:)@Tracking.swift:") == true)
  }

  @Test func aSingleCallerIsNamedButOnlyTheLineIsAccused() throws {
    let found = try findings(trace("alone"))
    #expect(found.first?.caller == nil)
    #expect(found.first?.callers?.shares.map(\.function) == ["Tile.open(_:)"])
  }

  @Test func aFindingInAHelperThatForwardsTheSourceLocationHasTheCallersLine() throws {
    let file = try trace("forwarded")
    let text = try Programs.rxtop("check", file).output
    #expect(text.contains("LEAK  subscribe@Panels.swift:"))
    #expect(text.contains("closure #4 in top-level code at main.swift:"))
  }

  @Test func noCallerIsAccusedIfAllOfThemClose() throws {
    #expect(try findings(trace("healthy")).isEmpty)
  }

  @Test func theTextOfAFindingBeginsWithTheCallerAndSaysWhy() throws {
    let text = try Programs.rxtop("check", trace("growth")).output
    #expect(text.contains("\nLEAK  Tile.open(_:)@Panels.swift:7 by subscribe@Tracking.swift:"))
    let words = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(
      words.contains(
        "All 24 accused were made for Tile.open(_:) at Panels.swift:7 by the helper Tracking.track(_:_:)"
      )
    )
    #expect(words.contains("57 were made for other callers, and none of those is accused."))
  }

  @Test func aBaselineMadeBeforeCallersWereKnownStillHolds() throws {
    // A version of rxtop that did not yet name callers wrote this baseline.
    let known = """
      known f109e9dfbc3102bb 9f94d5be8f0de6d5 LEAK growth-at-site subscribe Tracking.swift:13
      known 87ae9ea0cd968c52 fb08ce332f2d987e SUSPECT unhandled-error subscribe Tracking.swift:38

      """
    let baseline = scratch.path("baseline")
    try known.write(toFile: baseline, atomically: true, encoding: .utf8)
    for what in ["growth", "failing"] {
      let file = try trace(what)
      let outcome = try Programs.rxtop("check", "--baseline", baseline, "--fail-on", "info", file)
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("known    "))
    }
  }

  @Test func ifStacksOfCallersWereNotRecordedNoCallerIsNamed() throws {
    let file = try trace("growth", options: "events,size=4M,stacks=hops")
    let finding = try #require(findings(file).first)
    #expect(finding.kind == "growth-at-site" && finding.caller == nil && finding.callers == nil)
  }

  // MARK: Rows

  @Test func rowsNameTheCallerAndAreFilteredAndOrderedByIt() throws {
    let file = try trace("growth")
    let text = try Programs.rxtop(
      "--once",
      "--screen",
      "subscriptions",
      "--filter",
      "caller~Badge",
      file,
      environment: ["COLUMNS": "160"]
    ).output
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("#") }
    #expect(rows.count == 3)
    #expect(rows.allSatisfy { $0.contains("@Panels.swift:25") })
    let csv = try Programs.rxtop("export", "csv", "--table", "subscriptions", file).output
    let lines = csv.split(separator: "\r\n").dropFirst()
    #expect(lines.count { $0.contains(",Tile.open(_:)@Panels.swift:7,") } == 72)
    let sorted = try Programs.rxtop(
      "--once",
      "--screen",
      "subscriptions",
      "--sort",
      "caller",
      file,
      environment: ["COLUMNS": "160"]
    ).output
    let first = sorted.split(separator: "\n").first { $0.hasPrefix("#") }
    #expect(first?.contains("@Panels.swift:25") == true)
  }

  @Test func withoutTheProgramTheScreenSaysWhyAndAPackedTraceHasTheCallers() throws {
    let program = scratch.path("program")
    try Programs.copy(try #require(Programs.built("callers-program")), to: program)
    let file = try trace("growth", program: program)
    let packed = scratch.path("packed.rxtrace")
    #expect(try Programs.rxtop("pack", file, "-o", packed).status == 0)
    try FileManager.default.removeItem(atPath: program)
    let rows = try Programs.rxtop(
      "--once",
      "--screen",
      "subscriptions",
      file,
      environment: ["COLUMNS": "160"]
    ).output
    #expect(rows.contains("callers: no symbols: '"))
    #expect(!rows.contains("Panels.swift"))
    let found = try Programs.rxtop("check", file).output
    #expect(found.contains("LEAK  subscribe@Tracking.swift:"))
    #expect(found.contains("  callers   no symbols: '"))
    #expect(try findings(packed).first?.caller == "Tile.open(_:)@Panels.swift:7")
  }

  // MARK: Explanations and exports

  @Test func onALeakingLineTheOldestSubscriptionOfTheBlamedCallerIsExplained() throws {
    let file = try trace("growth")
    let text = try Programs.rxtop("explain", file, "subscription", "Tracking.swift:13").output
    #expect(text.hasPrefix("subscription #7:"))
    #expect(
      text.contains(
        "it is the oldest made for Tile.open(_:) at Panels.swift:7, which a finding blames"
      )
    )
  }

  @Test func theLineOfTheBlamedCallerSelectsItsSubscriptions() throws {
    let file = try trace("growth")
    let text = try Programs.rxtop("explain", file, "subscription", "Panels.swift:7").output
    #expect(text.hasPrefix("subscription #7: subscribe@Tracking.swift:13"), "\(text)")
    #expect(
      text.contains(
        "it is the oldest made for Tile.open(_:) at Panels.swift:7, which a finding blames"
      )
    )
  }

  @Test func framesInJSONNameTheirOwner() throws {
    struct Explanation: Decodable {
      struct Frame: Decodable {
        var text: String
        var owner: String?
      }
      var backtrace: [String]
      var frames: [Frame]
    }
    let file = try trace("growth")
    let output = try Programs.rxtop("explain", file, "subscription", "7", "--json").output
    let explanation = try JSONDecoder().decode(Explanation.self, from: Data(output.utf8))
    #expect(explanation.frames.map(\.text) == explanation.backtrace)
    func owner(_ start: String) -> String? {
      explanation.frames.first { $0.text.hasPrefix(start) }?.owner
    }
    #expect(owner("static Tile.open(_:)") == "program")
    #expect(owner("Signal.subscribe(") == "library")
    #expect(owner("thunk for") == "runtime")
    #expect(explanation.frames.contains { $0.text.hasPrefix("…") && $0.owner == nil })
    let speedscope = try Programs.rxtop("export", "speedscope", file).output
    for owner in ["program", "library", "runtime"] { #expect(speedscope.contains("\"\(owner)\"")) }
  }
}
