import Foundation
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// A program whose values never arrive, because they are sent before there is a subscriber,
/// recorded at various levels for chosen places.
@Suite(.enabled("corpus was not built beside the tests", { CorpusProgram.path != nil }))
struct PlaceLevelTests {
  private static func check(
    _ level: String
  ) throws -> (trace: TraceSnapshot, kinds: [FindingKind], text: String) {
    let scratch = try Scratch()
    let file = scratch.path("news.rxtrace")
    let startup = level.hasPrefix("graph") ? ",startup=0" : ""
    let outcome = try Programs.run(
      try #require(CorpusProgram.path),
      ["announcements-1"],
      environment: ["RXTRACE": "\(level)\(startup),size=4M,file=\(file)"]
    )
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let trace = try TraceReader(path: file).snapshot()
    let findings = FindingEngine.findings(in: trace, inspection: Inspection(snapshot: trace))
    let text = try Programs.rxtop("check", file).output
    return (trace, findings.filter { $0.level >= .suspect }.map(\.kind), text)
  }

  @Test(arguments: [
    "events", "graph,events:Waits.swift", "graph,events:corpus", "events,graph:Elsewhere.swift",
  ])
  func valuesThatNeverArriveAreFoundWhereTheirLinesRecordEvents(level: String) throws {
    let run = try Self.check(level)
    #expect(run.kinds == [.lostValues])
    #expect(!run.trace.records.filter { $0.kind == .next }.isEmpty)
    #expect(!run.text.contains("at level graph"))
  }

  /// The level `graph` is set for the whole program, for the file, for the line that subscribes, or
  /// for the line of its subject.
  @Test(
    arguments: [
      "graph", "events,graph:Waits.swift", "events,graph:corpus/Waits.swift:165",
      "events,graph:Waits.swift:163",
    ]
  )
  func aLineIsNotAccusedIfItOrAConnectedLineRecordsNoEvents(level: String) throws {
    let run = try Self.check(level)
    #expect(run.kinds.isEmpty)
    #expect(run.text.contains("at level graph"), "\(run.text)")
    #expect(run.text.contains("which cannot show"))
    let silent = Set(
      run.trace.sites.indices.filter { run.trace.level(ofSite: UInt32($0)) == .graph }
    )
    let store = EntityStore(run.trace)
    for row in run.trace.records.indices where run.trace.records[row].kind == .next {
      let life = try #require(store.life(run.trace.records[row].entity, at: row))
      #expect(!silent.contains(Int(life.site)))
    }
  }

  @Test func screensSayAtWhichLevelALineIsRecorded() throws {
    let scratch = try Scratch()
    let file = scratch.path("news.rxtrace")
    _ = try Programs.run(
      try #require(CorpusProgram.path),
      ["announcements-1"],
      environment: ["RXTRACE": "events,graph:Waits.swift:165,size=4M,file=\(file)"]
    )
    let once = try Programs.rxtop("--once", file).output
    #expect(once.contains("level events, graph:Waits.swift:165"))
    let json = try Programs.rxtop("--json", file).output
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    )
    let program = try #require(object["program"] as? [String: Any])
    #expect(program["level"] as? String == "events")
    #expect(program["places"] as? String == "graph:Waits.swift:165")
    let sites = try #require(object["sites"] as? [[String: Any]])
    for site in sites {
      let own = site["line"] as? Int == 165 ? "graph" : nil
      #expect(site["recordedLevel"] as? String == own)
    }
  }
}
