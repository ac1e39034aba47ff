import Foundation
import Glibc
import Testing

@Suite(
  .enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }),
  .enabled("Python is not installed", { PythonReader.python != nil })
)
struct FleetDeliveryTests {
  private static let unreachableServer = "http://reader:secret@127.0.0.1:1/fleet"

  private func export(_ arguments: String...) throws -> Programs.Outcome {
    let outcome = try Programs.run(
      try #require(Programs.rxtop),
      ["export", "fleet"] + arguments,
      environment: ["NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"]
    )
    #expect(!(outcome.output + outcome.errors).contains("secret"))
    return outcome
  }

  /// Starts a server that answers requests with these statuses in turn, and logs each request.
  private func server(_ statuses: [Int], _ scratch: Scratch) throws -> (
    process: Process, url: String
  ) {
    let script = """
      import http.server, json, sys, urllib.parse
      statuses = json.loads(sys.argv[1])
      class Handler(http.server.BaseHTTPRequestHandler):
          def log_message(self, *_): pass
          def do_POST(self):
              body = self.rfile.read(int(self.headers['Content-Length']))
              asked = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
              with open(sys.argv[2], 'a') as log:
                  log.write(json.dumps([asked['query'][0], asked['database'][0], asked['insert_deduplication_token'][0],
                      asked.get('async_insert', [''])[0], self.headers.get('X-ClickHouse-User'),
                      self.headers.get('X-ClickHouse-Key'), body.count(b'\\n')]) + '\\n')
              self.send_response(statuses.pop(0) if statuses else 200)
              self.send_header('Content-Length', '0')
              self.end_headers()
      server = http.server.HTTPServer(('127.0.0.1', 0), Handler)
      print(server.server_address[1], flush=True)
      server.serve_forever()
      """
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: try #require(PythonReader.python))
    process.arguments = ["-c", script, "\(statuses)", scratch.path("asked")]
    process.standardOutput = output
    try process.run()
    var port = ""
    while !port.contains("\n"), case let data = output.fileHandleForReading.availableData,
      !data.isEmpty
    {
      port += String(decoding: data, as: UTF8.self)
    }
    return (process, "http://reader:secret@127.0.0.1:\(port.filter(\.isNumber))/fleet")
  }

  private func asked(_ scratch: Scratch) throws -> [[Any]] {
    try String(contentsOfFile: scratch.path("asked"), encoding: .utf8).split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [Any])
    }
  }

  @Test func aServerThatFailsTwiceIsAskedAgainWithTheSameToken() throws {
    let scratch = try Scratch()
    let (process, url) = try server([500, 503], scratch)
    defer { kill(process.processIdentifier, SIGKILL) }
    let outcome = try export(ExportTests.sample("login"), "--clickhouse", url + "?async_insert=0")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors == "")
    let asked = try asked(scratch)
    #expect(Set(asked.prefix(3).compactMap { $0[2] as? String }).count == 1)
    let tables = asked.dropFirst(2).compactMap { ($0[0] as? String)?.split(separator: " ")[2] }
    // The sample has neither marks nor findings, so no rows are inserted into these tables.
    #expect(tables == ["sites", "counters", "hop_histograms", "recordings"])
    for request in asked {
      #expect(request[1] as? String == "fleet")
      #expect(request[3] as? String == "0")
      #expect(request[4] as? String == "reader")
      #expect(request[5] as? String == "secret")
    }
  }

  @Test func rowsOfAServerThatIsDownWaitInTheSpoolAndArriveOnce() throws {
    let scratch = try Scratch()
    let spool = scratch.path("spool")
    let down = try export(
      ExportTests.sample("login"),
      "--clickhouse",
      Self.unreachableServer,
      "--spool",
      spool
    )
    #expect(down.status == 5)
    #expect(down.errors.split(separator: "\n").count == 1)
    #expect(down.errors.contains("http://127.0.0.1:1/fleet cannot be reached"))
    #expect(down.errors.contains("they wait in '\(spool)'"))

    let (process, url) = try server([], scratch)
    defer { kill(process.processIdentifier, SIGKILL) }
    let up = try export(ExportTests.sample("failure"), "--clickhouse", url, "--spool", spool)
    #expect(up.status == 0, "\(up.errors)")
    let asked = try asked(scratch)
    #expect(asked.filter { ($0[0] as? String)?.contains(" recordings ") == true }.count == 2)
    #expect(Set(asked.compactMap { $0[2] as? String }).count == asked.count)
    #expect(try FileManager.default.contentsOfDirectory(atPath: spool) == ["lock"])
  }

  @Test func rowsForWhichASpoolHasNoRoomAreReportedAsNotDelivered() throws {
    let scratch = try Scratch()
    let outcome = try export(
      ExportTests.sample("login"),
      "--clickhouse",
      Self.unreachableServer,
      "--spool",
      scratch.path("spool"),
      "--spool-limit",
      "1K"
    )
    #expect(outcome.status == 5)
    #expect(outcome.errors.contains("had no room in the spool"), "\(outcome.errors)")
  }

  @Test func withoutASpoolTheSentenceSaysWhereTheRowsAre() throws {
    let scratch = try Scratch()
    let rows = scratch.path("rows")
    let sample = ExportTests.sample("login")
    let written = try export(sample, "--clickhouse", Self.unreachableServer, "-o", rows)
    #expect(written.status == 5)
    #expect(written.errors.contains("they are in '\(rows)'"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: rows).count == 6)
    let lost = try export(sample, "--clickhouse", Self.unreachableServer)
    #expect(lost.status == 5)
    #expect(lost.errors.contains("run the command again when the server is there"))
  }

  @Test func anUnreadableRecordingDoesNotHoldBackOthers() throws {
    let scratch = try Scratch()
    try FileManager.default.copyItem(
      atPath: ExportTests.sample("login"),
      toPath: scratch.path("a.rxtrace")
    )
    try Data("no trace".utf8).write(to: URL(filePath: scratch.path("b.rxtrace")))
    let outcome = try export(scratch.path(""), "-o", scratch.path("rows"))
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("1 of 2 recordings cannot be read; the others are exported"))
    let lines = try String(contentsOfFile: scratch.path("rows/recordings.ndjson"), encoding: .utf8)
    #expect(lines.split(separator: "\n").count == 1)
  }

  @Test(arguments: [
    (["x.rxtrace"], "name where the rows go"),
    (["-o", "x"], "name recordings, folders with recordings, or processes"),
    (["x.rxtrace", "--clickhouse", "ftp://here/a"], "is not that of a database"),
    (["x.rxtrace", "--clickhouse", "http://here"], "is not that of a database"),
    (["x.rxtrace", "--spool", "y"], "name one with --clickhouse"),
    (["--every", "soon", "-o", "x"], "is not a duration"),
    (
      ["x.rxtrace", "--clickhouse", "http://h/d", "--spool", "y", "--spool-limit", "much"],
      "is not a size"
    ),
    (["x.rxtrace", "-o", "x", "--filter", "live>1"], "do not apply to fleet"),
  ])
  func anInvalidCommandLineIsRefusedInOneSentence(arguments: [String], sentence: String) throws {
    let outcome = try Programs.run(try #require(Programs.rxtop), ["export", "fleet"] + arguments)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
  }

  @Test func otherFormatsRefuseTheOptionsOfFleetAndSeveralTargets() throws {
    let trace = ExportTests.sample("login")
    let option = try Programs.rxtop("export", "csv", trace, "--service", "a")
    #expect(option.status == 2)
    #expect(option.errors.contains("'--service' is for the format fleet only"))
    let several = try Programs.rxtop("export", "csv", trace, trace)
    #expect(several.status == 2)
    #expect(several.errors.contains("takes one trace"))
  }

  @Test func ddlPrintsTheStatementsOfTheFile() throws {
    let outcome = try Programs.rxtop("export", "fleet", "--ddl")
    let file = ExportTests.root.appending(path: "Documentation/Fleet/clickhouse.sql")
    #expect(outcome.output == (try String(contentsOf: file, encoding: .utf8)))
  }
}
