import Foundation
import Testing
import TraceExports
import TraceFindings
import TraceReading

@Suite struct FleetRowsTests {
  /// A handler that adds four subscriptions in each of seven rounds and ends none of them.
  static func leak(named name: String = "subscribe", running: Bool = false) -> TraceSnapshot {
    var recorder = TraceSimulator()
    let source = recorder.site("Subject", "Pane.swift", 3)
    let site = recorder.site(name, "Pane.swift", 94, .root)
    let signal = recorder.signal(source)
    for round in 0..<7 {
      recorder.mark("round \(round)", heap: 1000 + UInt64(round))
      for _ in 0..<4 { recorder.next(recorder.subscribe(site, to: signal)) }
      recorder.wait(.seconds(2))
    }
    recorder.mark("round 7")
    var snapshot = recorder.finish()
    if running { snapshot.processStatus = .running }
    return snapshot
  }

  private static let labels = FleetLabels(
    service: "shop",
    host: "web-1",
    version: "1.2",
    environments: [],
    program: "",
    machine: ""
  )

  private func rows(_ batch: FleetBatch, _ table: FleetTable) throws -> [[String: Any]] {
    let text = String(decoding: batch.lines(of: table), as: UTF8.self)
    #expect(text.isEmpty || text.hasSuffix("\n"))
    return try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  private func batch(_ snapshot: TraceSnapshot, _ labels: FleetLabels = labels) -> FleetBatch {
    var batch = FleetBatch()
    batch.add(snapshot, labels, path: "/tmp/a.rxtrace", version: "0")
    return batch
  }

  @Test func theRowsOfALeakAgreeWithItsFindings() throws {
    let snapshot = Self.leak()
    let batch = batch(snapshot)
    let finding = try #require(Inspection(snapshot: snapshot).findings.first)
    #expect(finding.level == .leak)
    let found = try #require(try rows(batch, .findings).first)
    #expect(found["fingerprint"] as? String == finding.looseFingerprint)
    #expect(found["location"] as? String == "Pane.swift:94")
    #expect(found["severity"] as? Int == 2)
    #expect(found["live"] as? Int == 28)
    #expect(found["service"] as? String == "shop")

    let recording = try #require(try rows(batch, .recordings).first)
    #expect(recording["leaks"] as? Int == 1)
    #expect(recording["state"] as? String == "stopped")
    #expect(recording["pid"] as? Int == 4711)
    #expect(recording["day"] as? String == "2006-07-14")
    #expect(recording["started_at"] as? String == "2006-07-14 23:58:24.606846")
    #expect(recording["recorded_until"] as? String == recording["ended_at"] as? String)

    let site = try #require(try rows(batch, .sites).first { $0["line"] as? Int == 94 })
    #expect(site["live"] as? Int == 28)
    // Growth is counted from the mark in the middle to the last mark.
    let growth =
      try #require(site["late_live"] as? Int) - (try #require(site["middle_live"] as? Int))
    #expect((12...16).contains(growth))

    #expect(try rows(batch, .marks).map { $0["name"] as? String }.contains("round 7"))
    let heap = try rows(batch, .counters).filter { $0["counter"] as? String == "heap_in_use" }
    #expect(heap.compactMap { $0["value"] as? Int } == Array(1000...1006))
  }

  @Test func workIsCountedByQueueAndPowerOfTwo() throws {
    var recording = Recording()
    let queue = recording.scheduler("road", .serialQueue)
    recording.threads(1)
    for hop in 1...3 as ClosedRange<UInt32> {
      let start = Double(hop)
      recording.schedule(hop, on: queue, at: start)
      let work = TraceID(rawValue: hop)
      recording.begin(.hopBegan, work, argument: queue, thread: 1, at: start + 0.000_005)
      recording.begin(.hopEnded, work, thread: 1, at: start + 0.002_005)
    }
    let found = try rows(batch(recording.snapshot), .hopHistograms)
    let said = found.map { row in
      "\(row["queue_name"] ?? "") \(row["measure"] ?? "") \(row["bucket"] ?? "") \(row["count"] ?? "")"
    }
    #expect(said == ["road wait 12 3", "road run 20 3"])
  }

  @Test func aRecordingExportedTwiceGivesTheSameRows() {
    let (first, second) = (batch(Self.leak()), batch(Self.leak()))
    for table in FleetTable.allCases { #expect(first.lines(of: table) == second.lines(of: table)) }
    #expect(first.posts().map(\.token) == second.posts().map(\.token))
  }

  @Test func anotherProcessIsAnotherRecording() throws {
    let one = Self.leak()
    func identifier(_ change: (inout TraceHeader) -> Void) throws -> String {
      var other = one
      change(&other.header)
      return try #require(try rows(batch(other), .recordings).first?["recording_id"] as? String)
    }
    let same = try identifier { $0.programName = "renamed" }
    #expect(same == (try identifier { _ in }))
    #expect(UUID(uuidString: same) != nil)
    #expect(same != (try identifier { $0.processID += 1 }))
    #expect(same != (try identifier { $0.start.realtime += 1 }))
    #expect(same != (try identifier { $0.bootID.low += 1 }))
  }

  @Test func anExportAfterTheEndHasTheHighestRevision() throws {
    func revision(_ snapshot: TraceSnapshot) throws -> Int {
      try #require(try rows(batch(snapshot), .recordings).first?["revision"] as? Int)
    }
    // An export of a running program has the present time, and one after the end has the time of
    // the last record, which is earlier. The revision after the end must be greater nevertheless.
    #expect(try revision(Self.leak(running: true)) < revision(Self.leak()))
  }

  @Test(arguments: ["a\"b\\c", "two\nlines\r", "\u{1B}[31m", "\u{202E}nib", "null\0"])
  func everyNameStaysOnOneLine(_ name: String) throws {
    var snapshot = Self.leak(named: name)
    snapshot.header.programName = name
    var labels = Self.labels
    labels.service = name
    let batch = batch(snapshot, labels)
    for table in FleetTable.allCases {
      for row in try rows(batch, table) {
        let text = row.values.compactMap { $0 as? String }.joined()
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
      }
    }
    #expect(try rows(batch, .findings).first?["name"] != nil)
  }

  @Test func extremeTimesBecomeDatesThatAWarehouseAccepts() throws {
    var snapshot = Self.leak()
    snapshot.header.start.realtime = .max
    let row = try #require(try rows(batch(snapshot), .recordings).first)
    #expect(row["day"] as? String == "2149-06-06")
    #expect(row["started_at"] as? String == "2149-06-06 23:59:59.999999")
  }

  // MARK: Posts

  @Test func postsEndAtTheEndOfALineAndRecordingsComeLast() {
    let batch = batch(Self.leak())
    let posts = batch.posts(limit: 1000)
    #expect(posts.count > FleetTable.allCases.count)
    #expect(posts.allSatisfy { $0.body.last == UInt8(ascii: "\n") && $0.rowCount > 0 })
    for table in FleetTable.allCases {
      #expect(posts.filter { $0.table == table }.flatMap(\.body) == batch.lines(of: table))
    }
    #expect(posts.firstIndex { $0.table == .recordings } == posts.count - 1)
    #expect(posts.reduce(0) { $0 + $1.rowCount } == batch.rowCount)
    #expect(Set(posts.map(\.token)).count == posts.count)
  }

  // MARK: Labels

  @Test func labelsAreTakenFromTheFirstSourceThatHasThem() {
    func labels(_ service: String?, _ environments: [[String: String]]) -> FleetLabels {
      FleetLabels(
        service: service,
        environments: environments.map { variables in { variables[$0] } },
        program: "app",
        machine: "here"
      )
    }
    let own = [
      "OTEL_RESOURCE_ATTRIBUTES": "service.name=cart, service.version=1%2E2 ,host.name=a%20b,bad,=x"
    ]
    let named = own.merging(["OTEL_SERVICE_NAME": "checkout"]) { $1 }
    #expect(labels("given", [named]).service == "given")
    #expect(labels(nil, [named]).service == "checkout")
    #expect(labels(nil, [own]).service == "cart")
    #expect(labels(nil, [own, named]).service == "cart")
    #expect(labels(nil, [[:], named]).service == "checkout")
    #expect(labels(nil, []).service == "app")
    #expect(labels(nil, []).host == "here")
    #expect(labels(nil, [own]).host == "a b")
    #expect(labels(nil, [own]).version == "1.2")
    #expect(labels(nil, []).version == "")
  }
}
