import Foundation
import Testing
import TraceReading

/// Two readers that have only the documentation of the format in common agree about every trace.
@Suite(
  .enabled(
    "python3 is not installed: nothing was compared with the independent reader",
    { PythonReader.python != nil }
  ),
  .enabled("rxtop was not built beside the tests", { Programs.rxtop != nil })
)
struct IndependentReaderTests {
  @Test func thereAreSamplesAndFixturesToCompare() {
    #expect(TraceVariant.samples.count >= 2)
    #expect(TraceVariant.fixtures.count >= 40)
  }

  @Test(arguments: TraceVariant.samples + TraceVariant.withoutOneSegment)
  func bothReadersAgreeOnEveryLineOfADump(variant: TraceVariant) throws {
    let (ours, theirs) = try dumps(of: variant)
    #expect(ours.count > 2000)
    expectSame(ours, theirs)
  }

  @Test(arguments: TraceVariant.withoutOneSegment)
  func bothReadersReportAMissingSegment(variant: TraceVariant) throws {
    let scratch = try Scratch()
    let path = try write(variant, scratch)
    for text in [
      try Programs.rxtop("dump", path).output, try PythonReader.run("dump", path).output,
    ] {
      #expect(text.contains("\n# byte 192: 1 segment"))
    }
  }

  /// However damaged a file is, both readers read the same from its intact parts.
  @Test(arguments: TraceVariant.fixtures)
  func bothReadersAgreeOnDamagedFiles(variant: TraceVariant) throws {
    let (ours, theirs) = try dumps(of: variant)
    expectSame(ours, theirs)
  }

  /// Compares the order, time and thread of the records, and whether all later ones are known.
  @Test(arguments: TraceVariant.samples + TraceVariant.withoutOneSegment + TraceVariant.fixtures)
  func bothReadersAgreeOnTheOrderOfEvents(variant: TraceVariant) throws {
    let scratch = try Scratch()
    let path = try write(variant, scratch)
    guard let snapshot = try? TraceReader(path: path).snapshot() else {
      #expect(try PythonReader.run("order", path).status == 3)
      return
    }
    let ours = snapshot.records.map { record in
      "\(record.number) \(record.ticks) \(record.thread)"
        + (snapshot.isExact(record) ? " exact" : " partial")
    }
    expectSame(ours, try lines("order", scratch))
  }

  @Test(arguments: TraceVariant.samples + TraceVariant.withoutOneSegment)
  func bothReadersAgreeOnLiveEntities(variant: TraceVariant) throws {
    let scratch = try Scratch()
    let snapshot = try TraceReader(path: write(variant, scratch)).snapshot()
    var ours = snapshot.slots.map { slot in
      "slot \(slot.id.rawValue) \(slot.serial) \(slot.kind) \(slot.eventCount)"
    }
    ours += snapshot.sites.map { site in
      let owners = site.ownersCreated - min(site.ownersCreated, site.ownersEnded)
      return "site \(site.index) \"\(site.index == 0 ? "" : site.name)\" \(site.live) \(owners)"
    }
    ours += snapshot.chains.enumerated().map { index, chain in
      (["chain \(index) \(chain.parent)"]
        + chain.frames.map { "0x" + String($0, radix: 16, uppercase: true) }).joined(separator: " ")
    }
    expectSame(ours, try lines("state", scratch))
  }

  /// The traces are new: a ring that has overwritten its oldest records, a ring with a segment that
  /// threads share, a stream that has appended full segments to its file, and a ring of a program
  /// that forks.
  @Test(
    .enabled("traced-program was not built beside the tests", { Programs.traced != nil }),
    arguments: [
      ("events,size=256K", ["threads", "2000"]), ("events,size=256K", ["concurrent", "200"]),
      ("mode=stream,size=256K", ["work", "20000"]), ("graph,size=256K", ["fork"]),
    ]
  )
  func bothReadersAgreeOnANewRecording(options: String, arguments: [String]) throws {
    let scratch = try Scratch()
    let path = try TracedRun(arguments, in: scratch, options: options).trace().path
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let variant = TraceVariant(name: options, bytes: bytes)
    let (ours, theirs) = try dumps(of: variant)
    expectSame(ours, theirs)
    try bothReadersAgreeOnTheOrderOfEvents(variant: variant)
    try bothReadersAgreeOnLiveEntities(variant: variant)
  }

  // MARK: Comparing

  private func write(_ variant: TraceVariant, _ scratch: Scratch) throws -> String {
    let path = scratch.path("trace")
    try Data(variant.bytes).write(to: URL(filePath: path))
    return path
  }

  private func lines(_ what: String, _ scratch: Scratch) throws -> [Substring] {
    let outcome = try PythonReader.run(what, scratch.path("trace"))
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\n")
  }

  /// The lines of both dumps without comments; no lines if both readers refuse the file.
  private func dumps(of variant: TraceVariant) throws -> ([Substring], [Substring]) {
    let scratch = try Scratch()
    let path = try write(variant, scratch)
    let ours = try Programs.rxtop("dump", path)
    let theirs = try PythonReader.run("dump", path)
    #expect(ours.status == theirs.status, "\(ours.errors)\(theirs.errors)")
    if ours.status == 0 { #expect(ours.output.hasPrefix("# \(path)\n")) }
    return (statements(ours.output), statements(theirs.output))
  }

  private func statements(_ text: String) -> [Substring] {
    text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("#") }
  }

  private func expectSame(_ ours: some Collection<some StringProtocol>, _ theirs: [Substring]) {
    #expect(ours.count == theirs.count)
    let different = zip(ours, theirs).first { $0 != $1 }
    #expect(different == nil, "the first that differs")
  }
}
