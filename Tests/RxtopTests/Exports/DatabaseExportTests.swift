import Foundation
import Testing

@Suite(
  .enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }),
  .enabled("Python is not installed", { PythonReader.python != nil })
)
struct DatabaseExportTests {
  /// The SQL statements of `Documentation/Queries.md`, in order.
  private static var statements: [String] {
    get throws {
      let page = ExportTests.root.appending(path: "Documentation/Queries.md")
      let parts = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```sql\n")
      return parts.dropFirst().compactMap { $0.components(separatedBy: "```").first }
    }
  }

  @Test(arguments: ["watchtower", "watchtower-leak", "failure", "login"])
  func everyStatementOfThePageRunsOnEverySample(sample: String) throws {
    let scratch = try Scratch()
    let path = scratch.path("recording.db")
    let export = try Programs.rxtop("export", "sqlite", ExportTests.sample(sample), "-o", path)
    #expect(export.status == 0, "\(export.errors)")
    let statements = try Self.statements
    #expect(statements.count > 9)
    for statement in statements {
      let answer = try Self.ask(path, statement)
      #expect(answer != nil, "\(statement)")
    }
  }

  @Test func eachFireOfATimerIsARun() throws {
    let scratch = try Scratch()
    let path = scratch.path("runs.sqlite")
    _ = try Programs.rxtop("export", "sqlite", ExportTests.sample("watchtower"), "-o", path)
    // A timer is scheduled once.
    let most = try Self.ask(
      path,
      "SELECT max(runs) > 1 FROM (SELECT count(run) AS runs FROM hops GROUP BY hop)"
    )
    #expect(most == [["1"]])
  }

  @Test func theDatabaseAgreesWithTheScreensAboutALeak() throws {
    let scratch = try Scratch()
    let path = scratch.path("recording.db")
    let trace = ExportTests.sample("watchtower-leak")
    _ = try Programs.rxtop("export", "sqlite", trace, "-o", path)
    let leak = try Self.ask(path, "SELECT location FROM findings WHERE level = 'LEAK' LIMIT 1")
    #expect(leak == [["Pane.swift:94"]])
    let live = try Self.ask(path, "SELECT live FROM liveByLine WHERE name = 'subscribe'")
    #expect(live == [["28"]])
    let growth = try Self.ask(
      path,
      "SELECT growth > 0 FROM growthByLine WHERE location = 'Pane.swift:94' AND name = 'subscribe'"
    )
    #expect(growth == [["1"]])
    let events = try ExportTests.open(path, as: "sqlite")
    let table = scratch.path("events.csv")
    _ = try Programs.rxtop("export", "csv", trace, "--table", "events", "-o", table)
    #expect(events["events"] as? Int == (try ExportTests.open(table, as: "csv"))["rows"] as? Int)
  }

  @Test func aFolderThatCannotHoldTheDatabaseIsReportedInOneSentence() throws {
    let outcome = try Programs.run(
      "/usr/bin/env",
      [
        "TMPDIR=/nowhere", try #require(Programs.rxtop), "export", "sqlite",
        ExportTests.sample("login"),
      ]
    )
    #expect(outcome.status == 3)
    #expect(
      outcome.errors
        == "rxtop: error: no temporary file can be made in '/nowhere' (No such file or directory); set TMPDIR to a folder that you may write to, with enough free space\n"
    )
  }

  /// The rows of a result as texts; nil if there is no result.
  private static func ask(_ path: String, _ statement: String) throws -> [[String]]? {
    let script =
      "import json, sqlite3, sys\n"
      + "rows = sqlite3.connect('file:' + sys.argv[1] + '?mode=ro', uri=True).execute(sys.argv[2]).fetchall()\n"
      + "print(json.dumps([[str(field) for field in row] for row in rows]))"
    let outcome = try Programs.run(
      try #require(PythonReader.python),
      ["-c", script, path, statement]
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try? JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String]]
  }
}
