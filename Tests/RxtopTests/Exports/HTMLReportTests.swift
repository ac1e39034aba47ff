import Foundation
import Testing

/// The output of `rxtop report`, opened by an independent reader.
@Suite(
  .enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }),
  .enabled("Python is not installed", { PythonReader.python != nil })
)
struct HTMLReportTests {
  /// The reader's counts of the report of a trace.
  private func report(_ trace: String, _ options: String...) throws -> [String: Any] {
    let scratch = try Scratch()
    let path = scratch.path("report.html")
    let outcome = try Programs.run(
      try #require(Programs.rxtop),
      ["report", trace, "-o", path] + options
    )
    #expect(
      outcome.status == 0 && outcome.output.contains("opens in a browser"),
      "\(outcome.errors)"
    )
    HostileTraceTests.expectHarmless(try String(contentsOfFile: path, encoding: .utf8))
    let script = ExportTests.root.appending(path: "Tests/IndependentReader/report.py").path
    let reading = try Programs.run(try #require(PythonReader.python), [script, path])
    #expect(reading.status == 0, "\(reading.errors)")
    return try JSONSerialization.jsonObject(with: Data(reading.output.utf8)) as? [String: Any]
      ?? [:]
  }

  private func text(_ report: [String: Any]) -> String { report["text"] as? String ?? "" }

  @Test(arguments: ["watchtower", "watchtower-leak", "watchtower-leak-1.0", "failure", "login"])
  func everySampleHasAWellFormedReportWithoutExternalLinks(sample: String) throws {
    #expect(try report(ExportTests.sample(sample))["bytes"] as? Int ?? 0 > 10_000)
  }

  @Test func theReportOfALeakHasTheFindingsOfCheckAndIsSmall() throws {
    let trace = ExportTests.sample("watchtower-leak")
    let found = try report(trace)
    let check = try Programs.rxtop("check", "--json", trace)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(check.output.utf8)) as? [String: Any]
    )
    let findings = try #require(json["findings"] as? [[String: Any]])
    #expect(found["findings"] as? Int == findings.count)
    for finding in findings {
      for key in ["sentence", "remedy", "location"] {
        let words = try #require(finding[key] as? String)
        #expect(text(found).contains(words), "\(key): \(words)")
      }
    }
    #expect(found["sites"] as? Int == (json["sites"] as? [Any])?.count)
    #expect(found["nodes"] as? Int ?? 0 > 3 && found["edges"] as? Int ?? 0 > 2)
    #expect(found["lanes"] as? Int ?? 0 > 0 && found["stacks"] as? Int ?? 0 > 0)
    #expect(found["bytes"] as? Int ?? .max <= 1 << 20)
    #expect(found["comparisons"] as? Int == 0)
    #expect(text(found).contains("Every record is there"))
  }

  @Test func aComparisonSaysWhatIsBetterOrWorse() throws {
    let (sound, leak) = (ExportTests.sample("watchtower"), ExportTests.sample("watchtower-leak"))
    let worse = try report(leak, "--against", sound)
    #expect(worse["comparisons"] as? Int == 1)
    #expect(text(worse).contains("What got worse LEAK subscribe@Pane.swift:94 new, "))
    let same = text(try report(sound, "--against", sound))
    #expect(same.contains("Nothing got worse.") && same.contains("are alike in both."))
  }

  @Test func theReportOfARecordingWithoutFindingsSaysSo() throws {
    let found = try report(ExportTests.sample("watchtower"))
    #expect(found["findings"] as? Int == 0)
    #expect(text(found).contains("No problems were found in this recording."))
    #expect(text(found).contains("Nothing found"))
    #expect(found["lanes"] as? Int == 3)
  }

  @Test func lossesAreShownBeforeFindings() throws {
    let scratch = try Scratch()
    let path = scratch.path("lost.rxtrace")
    try SmallTrace.write(SmallTrace.text + "\nheader lostRecords=12\n", to: path)
    let text = text(try report(path))
    let loss = try #require(text.range(of: "12 records found no free segment"))
    let emptiness = try #require(text.range(of: "it is incomplete, so this proves nothing"))
    #expect(loss.lowerBound < emptiness.lowerBound)
    #expect(!text.contains("Nothing of the recording is lost"))
  }

  @Test func hostileNamesStayTextInTheReport() throws {
    let scratch = try Scratch()
    let path = try HostileTraceTests.trace(in: scratch)
    let found = try report(path, "--against", path)
    #expect(found["scripts"] as? Int == 1)
    #expect(text(found).contains("<script>#quot;"))
    #expect(text(found).contains("<U+001B>"))
  }

  /// Names that try to break out of every context in which the page contains text from a trace:
  /// attributes, elements, the style and the script.
  @Test(arguments: [
    "</title></style></script><script>alert(1)</script>", "' onfocus='alert(1)", "&lt;b&gt;&#60;b>",
    "`<b>`", "]]><!--", "javascript:alert(1)",
  ]) func markupInEveryNameStaysText(attack: String) throws {
    let scratch = try Scratch()
    let path = scratch.path("attack.rxtrace")
    let names = ["Small/Clock.swift", "interval", "subscribe", "small"]
    let hostile = names.reduce(SmallTrace.text) { text, name in
      text.replacingOccurrences(of: "\"\(name)\"", with: "\"\(attack)\"")
    }
    try SmallTrace.write(hostile, to: path)
    let found = try report(path)
    #expect(text(found).components(separatedBy: attack).count > 5)
    #expect(found["scripts"] as? Int == 1)
  }

  @Test func aLargeProgramIsTruncatedWithASentence() throws {
    let scratch = try Scratch()
    let path = scratch.path("large.rxtrace")
    let sites = (3..<1203).map { row in
      "site \(row) name=\"map\" file=\"Small/Many.swift\" line=\(row) column=5 subscribed=1 ended.0=1"
    }
    // The busiest line has no live subscription, so it is left out of the table but shown in the
    // marbles.
    let busy =
      "site 1203 name=\"busy\" file=\"Small/Many.swift\" line=1 column=5 subscribed=1 ended.0=1 eventsOfReleased=500"
    try SmallTrace.write(
      ([SmallTrace.text] + sites + [busy, ""]).joined(separator: "\n"), to: path
    )
    let found = try report(path)
    #expect(found["sites"] as? Int == 400)
    #expect(found["lanes"] as? Int == 3 && text(found).contains("busy@Many.swift:1"))
    #expect(text(found).contains("803 more lines are left out"))
    #expect(text(found).contains("rxtop export csv large.rxtrace --table sites"))
  }

  @Test func refusesAnExistingFileAndAFileThatIsNotATrace() throws {
    let scratch = try Scratch()
    let path = scratch.path("kept.html")
    try "kept".write(toFile: path, atomically: true, encoding: .utf8)
    let trace = ExportTests.sample("watchtower")
    let outcome = try Programs.rxtop("report", trace, "-o", path)
    #expect(outcome.status == 3 && outcome.errors.contains("exists already; name a new file"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept")
    let other = try Programs.rxtop("report", trace, "--against", path)
    #expect(other.status == 3 && other.output.isEmpty && other.errors.contains("kept.html"))
  }

  @Test func saysThatTheFileExistsBeforeItReadsTheTrace() throws {
    let scratch = try Scratch()
    let path = scratch.path("kept.html")
    try "kept".write(toFile: path, atomically: true, encoding: .utf8)
    // The trace cannot be read either, but the file that exists must be reported first.
    let outcome = try Programs.rxtop("report", path, "-o", path)
    #expect(outcome.status == 3 && outcome.errors.contains("exists already"))
    let new = scratch.path("new.html")
    #expect(try Programs.rxtop("report", path, "-o", new).status == 3)
    #expect(!FileManager.default.fileExists(atPath: new))
  }
}
