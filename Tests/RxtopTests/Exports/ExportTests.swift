import Foundation
import Testing

/// The output of `rxtop export`, opened by programs other than rxtop.
@Suite(
  .enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }),
  .enabled("Python is not installed", { PythonReader.python != nil })
)
struct ExportTests {
  static let formats = [
    "ndjson", "csv", "chrome", "perfetto", "dot", "mermaid", "speedscope", "pprof", "sqlite",
  ]
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL
  static let samples = ["watchtower", "watchtower-leak"]

  static func sample(_ name: String) -> String {
    root.appending(path: "traces/\(name).rxtrace").path
  }

  /// The independent reader's counts of the contents of a file.
  static func open(_ path: String, as format: String) throws -> [String: Any] {
    let script = root.appending(path: "Tests/IndependentReader/exports.py").path
    let outcome = try Programs.run(try #require(PythonReader.python), [script, format, path])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
      ?? [:]
  }

  /// Exports a trace into a file and opens that.
  private func export(
    _ format: String,
    _ trace: String,
    _ options: String...
  ) throws -> [String: Any] {
    let scratch = try Scratch()
    let path = scratch.path("export")
    let outcome = try Programs.run(
      try #require(Programs.rxtop),
      ["export", format, trace, "-o", path] + options
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("opens with"))
    return try Self.open(path, as: format)
  }

  @Test(arguments: formats, samples) func everyFormatIsValid(format: String, name: String)
    throws
  {
    #expect(try export(format, Self.sample(name)).isEmpty == false)
  }

  @Test func theFormatsAgreeWithEachOther() throws {
    let trace = Self.sample("watchtower-leak")
    let lines = try export("ndjson", trace)
    let chrome = try export("chrome", trace)
    let perfetto = try export("perfetto", trace)
    let table = try export("csv", trace, "--table", "events")
    #expect(lines["events"] as? Int == table["rows"] as? Int)
    #expect(chrome["flows"] as? Int == perfetto["flows"] as? Int)
    #expect((chrome["flows"] as? Int ?? 0) > 0)
    #expect((perfetto["frames"] as? Int ?? 0) > 0)
    let phases = chrome["phases"] as? [String: Int] ?? [:]
    #expect(phases["n"].map { $0 + (phases["i"] ?? 0) } == perfetto["instants"] as? Int)
    #expect((phases["X"] ?? 0) + (phases["b"] ?? 0) == perfetto["begins"] as? Int)
    let kinds = lines["kinds"] as? [String: Int] ?? [:]
    #expect((kinds["next"] ?? 0) > 0)
    let live = try export("csv", trace, "--table", "subscriptions", "--filter", "state=active")
    #expect(try export("speedscope", trace)["weight"] as? Int == live["rows"] as? Int)
    let sums = try export("pprof", trace)["sums"] as? [String: Int] ?? [:]
    #expect(sums["live_subscriptions"] == live["rows"] as? Int)
    #expect(sums["subscriptions"] ?? 0 >= sums["live_subscriptions"] ?? .max)
    #expect(sums["events"] ?? 0 > 0 && sums["hop_wait"] ?? 0 > 0 && sums["hop_run"] ?? 0 > 0)
  }

  @Test(arguments: ["dot", "mermaid"])
  func anEmptyGraphSaysThatItIsEmpty(format: String) throws {
    let trace = Self.sample("failure")
    #expect(try export(format, trace)["nodes"] as? Int == 0)
    let text = try Programs.rxtop("export", format, trace).output
    #expect(text.contains("Nothing is drawn: what is asked for has no live subscription"))
    let other = try Programs.rxtop("export", format, Self.sample("watchtower-leak")).output
    #expect(!other.contains("Nothing is drawn"))
  }

  @Test func graphvizAcceptsTheGraph() throws {
    let dot = ["/usr/bin/dot", "/usr/local/bin/dot"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    // Other tests read the graph with the independent reader; Graphviz is optional.
    guard let dot else { return }
    let scratch = try Scratch()
    let path = scratch.path("graph.dot")
    _ = try Programs.rxtop("export", "dot", Self.sample("watchtower-leak"), "-o", path)
    let outcome = try Programs.run(dot, ["-Tsvg", path])
    #expect(outcome.status == 0 && outcome.output.contains("<svg"), "\(outcome.errors)")
  }

  @Test func mermaidDrawsTheJourneyOfAnEvent() throws {
    let trace = Self.sample("watchtower-leak")
    let scratch = try Scratch()
    _ = try Programs.rxtop("export", "ndjson", trace, "-o", scratch.path("lines"))
    let lines = try String(contentsOfFile: scratch.path("lines"), encoding: .utf8)
    let line = try #require(lines.split(separator: "\n").last { $0.contains("\"hop-began\"") })
    let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let number = try #require(event?["number"] as? Int)
    let found = try export("mermaid", trace, "--event", "\(number)")
    #expect((found["messages"] as? Int ?? 0) > 1)
    let none = try Programs.rxtop("export", "mermaid", trace, "--event", "1")
    #expect(none.status == 3 && none.errors.contains("event #1 is not in the trace"))
  }

  @Test func aGraphThatMermaidCannotDrawIsRefusedWithTheReason() throws {
    let trace = Self.sample("watchtower-leak")
    #expect(try export("mermaid", trace, "--by", "subscription")["edges"] as? Int ?? 0 > 100)
    let scratch = try Scratch()
    try ManySubscriptions.write(450, to: scratch.path("many.rxtrace"))
    let outcome = try Programs.rxtop(
      "export",
      "mermaid",
      scratch.path("many.rxtrace"),
      "--by",
      "subscription"
    )
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("Mermaid draws at most 400 connections"))
    #expect(try export("mermaid", scratch.path("many.rxtrace"))["edges"] as? Int == 1)
  }

  @Test func anExistingFileIsNotOverwritten() throws {
    let scratch = try Scratch()
    let path = scratch.path("there")
    try "kept".write(toFile: path, atomically: true, encoding: .utf8)
    let outcome = try Programs.rxtop("export", "csv", Self.sample("watchtower"), "-o", path)
    #expect(outcome.status == 3 && outcome.errors.contains("exists already; name a new file"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept")
  }

  @Test func aFailedExportLeavesNoFile() throws {
    let scratch = try Scratch()
    let path = scratch.path("cut-off")
    let rxtop = try #require(Programs.rxtop)
    // As on a full disk, writing fails after 512 bytes or 1 KiB, depending on the shell.
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" export ndjson \"$1\" -o \"$2\""
    let trace = Self.sample("watchtower")
    let outcome = try Programs.run("/bin/sh", ["-c", script, rxtop, trace, path])
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("'\(path)': File too large; nothing of it is kept"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: formats) func theIntactPartOfATruncatedTraceIsExported(format: String)
    throws
  {
    let scratch = try Scratch()
    let whole = try Data(contentsOf: URL(filePath: Self.sample("watchtower-leak")))
    try whole.prefix(whole.count / 2).write(to: URL(filePath: scratch.path("cut.rxtrace")))
    _ = try export(format, scratch.path("cut.rxtrace"))
  }
}

/// A trace of many subscriptions made by one line, with one common downstream.
enum ManySubscriptions {
  static func write(_ count: Int, to path: String) throws {
    var text = """
      header state=stopped clock=monotonic slotBits=12 generation=1 startLevel=graph processID=4711
      header programName="many" startTicks=1000 startMonotonic=1000 latestTicks=9000 latestMonotonic=9000
      site 1 name="merge" file="Many/Main.swift" line=1 subscribed=1
      site 2 name="map" file="Many/Main.swift" line=2 subscribed=\(count)
      slot 1 serial=1 kind=subscription state=active site=1 createdAt=2000

      """
    for slot in 2..<(count + 2) {
      text +=
        "slot \(slot) serial=\(slot) kind=subscription state=active site=2 link=4097 createdAt=3000\n"
    }
    try SmallTrace.write(text, to: path)
  }
}
