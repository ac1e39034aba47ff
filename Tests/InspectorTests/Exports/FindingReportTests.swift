import Foundation
import Testing
import TraceFindings
import TraceReading

@testable import TraceExports
@testable import TraceModel

/// Findings as SARIF, as GitHub annotations and as JUnit XML.
@Suite struct FindingReportTests {
  /// A source with invented backtraces and debug information.
  private struct StubSource: ReportSource {
    var lines: [String] = []
    var paths: [String] = []
    mutating func backtrace(of chain: UInt32) -> [String] { lines }
    mutating func sourcePaths(of file: String, line: UInt32) -> [String] { paths }
  }

  private static let paths = RepositoryPaths(
    root: "/nowhere",
    files: [
      "Pane.swift": ["Sources/App/Pane.swift"], "main.swift": ["Sources/App/main.swift"],
    ]
  )
  private static let hostile = "a\u{1B}[31m<b>&\"'\r\n]]>\u{0}\u{FFFE}\u{202E}%::,{0}[x](http://y)🙂"

  private func report(
    _ inspection: Inspection,
    _ source: StubSource = StubSource(),
    failOn limit: FindingLevel = .leak,
    gone: [FindingBaseline.Known]? = nil
  ) -> FindingReport {
    var source = source
    return FindingReport(inspection, Self.paths, &source, failOn: limit, gone: gone)
  }

  private var growth: Inspection { Inspection(snapshot: Fault.declaredGrowth.recording.snapshot) }

  private var known: [FindingBaseline.Known] {
    growth.findings.compactMap {
      try? FindingBaseline(parsing: FindingBaseline.statement($0)).known.first
    }
  }

  private func run(_ report: FindingReport) throws -> [String: Any] {
    let text = report.text(.sarif, version: "1.2.3")
    let log = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    return try #require((log["runs"] as? [[String: Any]])?.first)
  }

  private func results(_ report: FindingReport) throws -> [[String: Any]] {
    try #require(run(report)["results"] as? [[String: Any]])
  }

  private func notifications(_ report: FindingReport) throws -> [[String: Any]] {
    let invocations = try #require(run(report)["invocations"] as? [[String: Any]])
    return try #require(invocations.first?["toolExecutionNotifications"] as? [[String: Any]])
  }

  // MARK: Contents of a result

  @Test func aResultHasItsPathAndLine() throws {
    let result = try #require(results(report(growth)).first)
    #expect(result["ruleId"] as? String == "growth-at-site")
    #expect(result["level"] as? String == "error")
    let location = try #require((result["locations"] as? [[String: Any]])?.first)
    let physical = try #require(location["physicalLocation"] as? [String: Any])
    #expect(
      physical["artifactLocation"] as? [String: String]
        == ["uri": "Sources/App/Pane.swift", "uriBaseId": "%SRCROOT%"]
    )
    #expect((physical["region"] as? [String: Int])?["startLine"] == 42)
    #expect(
      result["partialFingerprints"] as? [String: String]
        == ["rxtop/v1": growth.findings[0].looseFingerprint]
    )
    #expect(result["baselineState"] == nil)
  }

  @Test func everyKindIsARule() throws {
    let tool = try #require(run(report(growth))["tool"] as? [String: [String: Any]])
    let rules = try #require(tool["driver"]?["rules"] as? [[String: Any]])
    #expect(rules.compactMap { $0["id"] as? String } == FindingKind.allCases.map(\.rawValue))
    #expect(tool["driver"]?["version"] as? String == "1.2.3")
    let result = try #require(results(report(growth)).first)
    let index = try #require(result["ruleIndex"] as? Int)
    #expect(rules[index]["id"] as? String == "growth-at-site")
  }

  @Test func theAsynchronousBacktraceLeadsFromTheOutermostFunctionToTheLine() throws {
    var inspection = growth
    let site = inspection.findings[0].site
    inspection.subscriptions = [
      SubscriptionRow(key: EntityKey(id: TraceID(rawValue: 9), serial: 3))
    ]
    inspection.subscriptions[0].site = site
    inspection.subscriptions[0].chain = 1
    let source = StubSource(lines: [
      "closure #1 in Pane.open() at /x/Sources/App/Pane.swift:42",
      "_dispatch_call_block in libdispatch.so",
      "… asynchronously invoked (on road) from:",
      "Pane.open() at /x/Sources/App/Pane.swift:40 [inlined]",
      "top-level code at /x/Sources/App/main.swift:7", "elsewhere() at /y/Elsewhere.swift:1",
    ])
    let flow = report(inspection, source).findings[0].flow
    #expect(
      flow.map(\.path) == [
        "Sources/App/main.swift", "Sources/App/Pane.swift", "Sources/App/Pane.swift",
      ]
    )
    #expect(flow.map(\.line) == [7, 40, 42])
    #expect(
      flow.map(\.text)
        == ["top-level code", "Pane.open()", "asynchronously, on road: closure #1 in Pane.open()"]
    )
    let result = try #require(results(report(inspection, source)).first)
    #expect((result["codeFlows"] as? [Any])?.count == 1)
  }

  @Test func recordsOfTheEvidenceAreRelatedLocations() throws {
    let fault = try #require(
      Fault.allCases.first { !($0.recording.findings.first?.evidence.events.isEmpty ?? true) }
    )
    let finding = report(Inspection(snapshot: fault.recording.snapshot)).findings[0]
    #expect(finding.related.contains { $0.text.hasPrefix("event #") && $0.line > 0 })
  }

  @Test func aFindingOfTheWholeProgramIsLocatedAtTheProgramsName() throws {
    let inspection = Inspection(snapshot: Fault.died.recording.snapshot)
    let report = report(inspection)
    let place = try #require(report.findings.firstIndex { $0.place == nil })
    #expect(!report.findings[place].name.contains("process"))
    let location = try #require((results(report)[place]["locations"] as? [[String: Any]])?.first)
    let physical = try #require(location["physicalLocation"] as? [String: [String: String]])
    #expect(physical == ["artifactLocation": ["uri": report.program]])
  }

  @Test func aMissingFileHasTheNameThatTheCompilerGaveIt() throws {
    var source = StubSource()
    let nothing = RepositoryPaths(root: "/nowhere", files: [:])
    let report = FindingReport(growth, nothing, &source, failOn: .leak, gone: nil)
    #expect(report.findings[0].place?.path == "App/Pane.swift")
    #expect(report.unknownFiles == ["App/Pane.swift"])
    #expect(self.report(growth).unknownFiles.isEmpty)
  }

  // MARK: Which findings count

  @Test func aFindingThatFailsTheCheckIsOneRedCase() {
    let text = report(growth).text(.junit, version: "")
    #expect(text.components(separatedBy: "<failure ").count == 2)
    #expect(text.contains("failures=\"1\" errors=\"0\""))
    #expect(
      text.contains(
        "name=\"growth-at-site: subscribe in Sources/App/Pane.swift\" file=\"Sources/App/Pane.swift\" line=\"42\""
      )
    )
    #expect(text.contains("<testcase classname=\"rxtop\" name=\"backlog\" time=\"0\"/>"))
  }

  @Test func aCleanRecordingHasOneGreenCaseForEachRule() throws {
    var clean = growth
    clean.findings = []
    let text = report(clean).text(.junit, version: "")
    #expect(!text.contains("<failure") && !text.contains("<error") && !text.contains("<skipped"))
    for kind in FindingKind.allCases { #expect(text.contains("name=\"\(kind.rawValue)\"")) }
    #expect(report(clean).text(.github, version: "").isEmpty)
    #expect(try results(report(clean)).isEmpty)
    #expect(try notifications(report(clean)).isEmpty)
  }

  @Test func anIncompleteRecordingIsNotACleanResult() throws {
    var half = growth
    half.findings = []
    half.program.isIncomplete = true
    half.program.losses = ["It lost 12 records."]
    let report = report(half)
    #expect(report.verdict == .incomplete)
    #expect(
      report.text(.github, version: "").hasPrefix(
        "::error title=rxtop%3A the recording is too incomplete"
      )
    )
    #expect(
      report.text(.junit, version: "").contains(
        "<error type=\"incomplete\" message=\"It lost 12 records.\"/>"
      )
    )
    let invocations = try #require(run(report)["invocations"] as? [[String: Any]])
    #expect(invocations.first?["executionSuccessful"] as? Bool == false)
    #expect(invocations.first?["exitCode"] as? Int == 4)
    #expect(try notifications(report).compactMap { $0["level"] as? String } == ["error"])
  }

  @Test func kindsThatTheRecordingCannotShowAreSkipped() throws {
    var graph = growth
    graph.findings = []
    graph.program.level = .graph
    let kind = try #require(FindingKind.allCases.first { $0.needsEvents })
    let text = report(graph).text(.junit, version: "")
    #expect(!text.contains("name=\"\(kind.rawValue)\" time=\"0\"/>"))
    #expect(text.contains("<skipped message=\"this recording cannot show it\"/>"))
  }

  @Test func knownFindingsAreUnchangedAndDoNotFail() throws {
    var inspection = growth
    FindingBaseline(known: known).apply(to: &inspection, today: "2027-01-31")
    let report = report(inspection, gone: [])
    #expect(report.verdict == .clean)
    #expect(try results(report).first?["baselineState"] as? String == "unchanged")
    #expect(report.text(.github, version: "").isEmpty)
    #expect(!report.text(.junit, version: "").contains("<failure"))
    #expect(report.text(.junit, version: "").contains("the baseline knows it"))
  }

  @Test func allowedFindingsAreSuppressedWithTheirReason() throws {
    var inspection = growth
    let text = "allow kind=growth-at-site until=never by design"
    try FindingBaseline(parsing: text).apply(to: &inspection, today: "2027-01-31")
    let result = try #require(results(report(inspection, gone: [])).first)
    let suppression = try #require((result["suppressions"] as? [[String: String]])?.first)
    #expect(suppression["justification"] == "by design")
  }

  @Test func findingsThatDisappearedAreReportedInEachFormat() throws {
    var clean = growth
    clean.findings = []
    let report = report(clean, gone: known)
    for format in ReportFormat.allCases {
      let text = report.text(format, version: "")
      #expect(text.contains("LEAK growth-at-site subscribe Pane.swift"), "\(format)")
    }
    #expect(try notifications(report).compactMap { $0["level"] as? String } == ["note"])
  }

  // MARK: Hostile texts

  private var hostileReport: FindingReport {
    var inspection = growth
    inspection.findings[0].sentence = Self.hostile
    inspection.findings[0].remedy = Self.hostile
    inspection.findings[0].name = Self.hostile
    inspection.program.name = Self.hostile
    inspection.program.isIncomplete = true
    inspection.program.losses = [Self.hostile]
    let place = inspection.sites.firstIndex { $0.id == inspection.findings[0].site }
    if let place { inspection.sites[place].file = "App/\(Self.hostile).swift" }
    return report(inspection)
  }

  @Test func hostileTextStaysWithinOneAnnotation() throws {
    let lines = hostileReport.text(.github, version: "").split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    #expect(lines.count == 3 && lines.last == "")
    let first = try #require(lines.first)
    #expect(first.hasPrefix("::error file=App/a<U+001B>[31m<b>&"))
    #expect(first.contains("%25%3A%3A%2C{0}"))
    #expect(!first.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    // After the properties a colon needs no escape, and each percent sign is escaped.
    #expect(first.components(separatedBy: "::").count > 2 && first.contains("%25::,{0}"))
  }

  @Test func hostileTextsStayTextInXML() throws {
    let text = hostileReport.text(.junit, version: "")
    let parser = XMLReader(text)
    #expect(parser.isValid, "\(parser.problem)")
    #expect(
      parser.names == [
        "testsuites", "testsuite", "properties", "property", "testcase", "failure", "skipped",
        "system-out",
      ]
    )
    #expect(!text.contains("]]>"))
  }

  @Test func hostileTextsStayTextInSARIF() throws {
    let result = try #require(results(hostileReport).first)
    let location = try #require((result["locations"] as? [[String: Any]])?.first)
    let physical = try #require(location["physicalLocation"] as? [String: Any])
    let artifact = try #require(physical["artifactLocation"] as? [String: String])
    let uri = try #require(artifact["uri"])
    #expect(uri.hasPrefix("App/a%1B%5B31m%3Cb%3E%26%22%27%0D%0A%5D%5D%3E%00"))
    #expect(uri.removingPercentEncoding == "App/\(Self.hostile).swift")
    let message = try #require((result["message"] as? [String: String])?["text"])
    // The text has neither a placeholder nor a link.
    #expect(message.contains("{{0}}[x] (http://y)"))
    #expect(!message.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }
}

/// Collects the names of elements in the order of their first occurrence, or describes what is
/// wrong with the XML.
private final class XMLReader {
  private(set) var names: [String] = []
  private(set) var problem = ""
  var isValid: Bool { problem.isEmpty }

  init(_ text: String) {
    problem = read(text) ?? ""
    for scalar in text.unicodeScalars
    where scalar.value < 0x20 && scalar != "\n" || scalar.value == 0xFFFE {
      problem = "U+\(scalar.value) is no character of XML"
    }
  }

  private func read(_ text: String) -> String? {
    var open: [Substring] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      guard let end = rest[start...].firstIndex(of: ">") else {
        return "no end of an element"
      }
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.contains("<") { return "< in \(tag)" }
      if tag.hasPrefix("?") { continue }
      let name = tag.drop { $0 == "/" }.prefix { !" /".contains($0) }
      if tag.hasPrefix("/") {
        guard open.popLast() == name else { return "</\(name)> ends nothing" }
        continue
      }
      if !tag.hasSuffix("/") { open.append(name) }
      if !names.contains(String(name)) { names.append(String(name)) }
    }
    return open.isEmpty ? nil : "\(open) do not end"
  }
}
