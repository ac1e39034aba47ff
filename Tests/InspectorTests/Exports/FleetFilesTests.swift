import Foundation
import Testing
import TraceExports

@Suite struct FleetFilesTests {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "rxtop-fleet-\(UUID().uuidString)"
  ).path

  private func names() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  private func remove() { try? FileManager.default.removeItem(atPath: folder) }

  private func batch() -> FleetBatch {
    var batch = FleetBatch()
    let labels = FleetLabels(environments: [], program: "app", machine: "here")
    batch.add(FleetRowsTests.leak(), labels, path: "", version: "0")
    return batch
  }

  private func post(_ table: FleetTable, _ text: String) -> FleetPost {
    FleetPost(table: table, body: Array("\(text)\n".utf8))
  }

  // MARK: A folder of files

  @Test func filesAppearOnlyWhenTheyAreComplete() throws {
    defer { remove() }
    let batch = batch()
    let files = try FleetFolder(folder)
    try files.add(batch)
    #expect(names().allSatisfy { $0.hasSuffix(".partial") })
    try files.finish()
    #expect(names() == FleetTable.allCases.map { "\($0.rawValue).ndjson" }.sorted())
    let written = FileManager.default.contents(atPath: "\(folder)/sites.ndjson")
    #expect(written.map(Array.init) == batch.lines(of: .sites))
    let refusal = #expect(throws: ExportError.self) { try FleetFolder(folder) }
    #expect(refusal?.description.contains("exists already") == true)
  }

  @Test func anUnfinishedExportLeavesNoFiles() throws {
    defer { remove() }
    try FleetFolder(folder).add(batch())
    #expect(names() == [])
  }

  @Test func anExportOfWhichAFileCannotBeFinishedCanBeRepeated() throws {
    defer { remove() }
    // A folder already has the name to which the last file is renamed, so that the renaming fails.
    let inTheWay = "\(folder)/recordings.ndjson"
    do {
      let files = try FleetFolder(folder)
      try files.add(batch())
      try FileManager.default.createDirectory(atPath: inTheWay, withIntermediateDirectories: false)
      let refusal = #expect(throws: ExportError.self) { try files.finish() }
      #expect(refusal?.description.contains("recordings.ndjson") == true)
    }
    #expect(names() == ["recordings.ndjson"])
    try FileManager.default.removeItem(atPath: inTheWay)
    let files = try FleetFolder(folder)
    try files.add(batch())
    try files.finish()
    #expect(names().count == FleetTable.allCases.count)
  }

  @Test func aFolderThatCannotBeMadeIsReportedInOneSentence() {
    let refusal = #expect(throws: ExportError.self) { try FleetFolder("/proc/nowhere") }
    #expect(refusal?.description.hasPrefix("cannot make the folder '/proc/nowhere'") == true)
  }

  // MARK: A spool

  @Test func aSpoolOutlivesItsProcessAndSendsInOrder() throws {
    defer { remove() }
    let kept = [post(.sites, "1"), post(.recordings, "2")]
    do {
      let spool = try FleetSpool(folder, limit: 1 << 20)
      try spool.keep(kept)
      try spool.keep([post(.sites, "3")])
    }
    let spool = try FleetSpool(folder, limit: 1 << 20)
    #expect(spool.rowCount == 3)
    var sent: [FleetPost] = []
    let outcome = spool.deliver {
      sent.append($0)
      return .delivered
    }
    #expect(sent == kept + [post(.sites, "3")])
    #expect(outcome.rows == 3)
    #expect(outcome.failure == nil)
    #expect(spool.rowCount == 0)
  }

  @Test func aServerThatIsDownIsTriedOnceAndNoRowIsLost() throws {
    defer { remove() }
    let spool = try FleetSpool(folder, limit: 1 << 20)
    try spool.keep([post(.sites, "1"), post(.recordings, "2")])
    try spool.keep([post(.sites, "3")])
    var sendCount = 0
    let outcome = spool.deliver { _ in
      sendCount += 1
      return .unreachable("down")
    }
    #expect(sendCount == 1)
    #expect(outcome.failure?.reason == "down")
    #expect(spool.rowCount == 3)
    #expect(spool.deliver { _ in .delivered }.rows == 3)
  }

  /// The row in `recordings` is sent only after all other rows of its batch, and a refused request
  /// holds back no other batch.
  @Test func aRefusedRequestHoldsBackOnlyTheRestOfItsBatch() throws {
    defer { remove() }
    let spool = try FleetSpool(folder, limit: 1 << 20)
    try spool.keep([post(.sites, "bad"), post(.recordings, "2")])
    try spool.keep([post(.sites, "3"), post(.recordings, "4")])
    var sent: [String] = []
    let outcome = spool.deliver { post in
      let text = String(decoding: post.body.dropLast(), as: UTF8.self)
      sent.append(text)
      return text == "bad" ? .refused("no") : .delivered
    }
    #expect(sent == ["bad", "3", "4"])
    #expect(outcome.rows == 2)
    #expect(outcome.failure == .refused("no"))
    #expect(spool.rowCount == 2)
  }

  @Test func aFullSpoolDropsTheOldestBatchesAndCountsThem() throws {
    defer { remove() }
    let spool = try FleetSpool(folder, limit: 25)
    for number in 0..<4 { try spool.keep([post(.sites, "1234567\(number)"), post(.marks, "")]) }
    #expect(spool.byteCount == 40)
    #expect(spool.enforceLimit() == 4)
    #expect(spool.byteCount <= 25)
    #expect(spool.enforceLimit() == 0)
    #expect(spool.droppedRows == 4)
    var sent: [FleetPost] = []
    _ = spool.deliver {
      sent.append($0)
      return .delivered
    }
    #expect(sent.first == post(.sites, "12345672"))
  }

  @Test func oneProcessAtATimeUsesASpoolAndUnfinishedFilesAreRemoved() throws {
    defer { remove() }
    do {
      let first = try FleetSpool(folder, limit: 1)
      let refusal = #expect(throws: ExportError.self) { try FleetSpool(folder, limit: 1) }
      #expect(refusal?.description.hasPrefix("another rxtop uses the spool") == true)
      #expect(first.rowCount == 0)
    }
    let half = "\(folder)/00000000000000000001-0000-sites-1.ndjson.partial"
    try Data("{".utf8).write(to: URL(filePath: half))
    let second = try FleetSpool(folder, limit: 1)
    #expect(names() == ["lock"])
    #expect(second.rowCount == 0)
  }
}
