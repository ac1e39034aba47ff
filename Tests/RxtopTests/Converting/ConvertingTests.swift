import Foundation
import Testing
import TraceReading

/// `rxtop assemble` makes the same trace from the text that `rxtop dump` prints; later minor
/// versions of the format are read, other major versions refused.
@Suite(.enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }))
struct ConvertingTests {
  @Test(arguments: TraceVariant.samples + TraceVariant.withoutOneSegment.prefix(4))
  func aDumpIsAssembledIntoTheSameTrace(variant: TraceVariant) throws {
    let scratch = try Scratch()
    let path = scratch.path("trace")
    try Data(variant.bytes).write(to: URL(filePath: path))
    try expectSameAfterBoth(path, scratch)
  }

  /// The traces are a ring that has overwritten its oldest records, a ring with a segment that
  /// threads share, a stream with its tail, to which it has appended full segments, and a ring at
  /// level `graph`.
  @Test(
    .enabled("traced-program was not built beside the tests", { Programs.traced != nil }),
    arguments: [
      ("events,size=256K", ["threads", "2000"]), ("events,size=256K", ["concurrent", "200"]),
      ("mode=stream,size=256K", ["work", "20000"]), ("graph,size=256K", ["work", "100"]),
    ]
  )
  func aNewRecordingIsConvertedBothWays(options: String, arguments: [String]) throws {
    let scratch = try Scratch()
    let run = try TracedRun(arguments, in: scratch, options: options)
    #expect(run.hasSucceeded && run.errorLines.isEmpty)
    try expectSameAfterBoth(try run.trace().path, scratch)
  }

  private func expectSameAfterBoth(_ path: String, _ scratch: Scratch) throws {
    let (text, copy) = (scratch.path("text"), scratch.path("copy.rxtrace"))
    let dumped = try Programs.rxtop("dump", path)
    #expect(dumped.status == 0 && dumped.errors.isEmpty)
    try dumped.output.write(toFile: text, atomically: true, encoding: .utf8)
    let assembled = try Programs.rxtop("assemble", text, copy)
    #expect(assembled.status == 0 && assembled.errors.isEmpty, "\(assembled.errors)")
    let again = try Programs.rxtop("dump", copy).output
    // The first line names the file.
    let lines = [dumped.output, again].map { $0.split(separator: "\n").dropFirst() }
    #expect(lines[0].count > 60 && lines[0].count == lines[1].count)
    let different = zip(lines[0], lines[1]).first { $0 != $1 }
    #expect(different == nil, "the first that differs")
    let (before, after) = (try TraceReader(path: path), try TraceReader(path: copy))
    let records = try [before.snapshot().records, after.snapshot().records]
    #expect(records[0].map(\.number) == records[1].map(\.number))
    #expect(records[0].map(\.ticks) == records[1].map(\.ticks))
    #expect(try before.snapshot().exactFrom == after.snapshot().exactFrom)
  }

  // MARK: Versions

  /// Records of kinds that a later minor version adds are skipped; `rxtop dump` prints them with
  /// the number of their kind.
  @Test func aNewerMinorVersionIsRead() throws {
    let outcome = try dump(
      SmallTrace.text + "\n+1900000001 kind 999 id=7 argument=8\nset header.minorVersion 99"
    )
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("kind 999 id=7 argument=8\n"))
    #expect(outcome.output.contains("header minorVersion=99\n"))
    #expect(!outcome.output.contains("# byte"))
  }

  @Test(arguments: [0, 2, 65535]) func anotherMajorVersionIsRefusedInOneSentence(major: Int) throws
  {
    let outcome = try dump(SmallTrace.text + "\nset header.majorVersion \(major)")
    #expect(outcome.status == 3 && outcome.output.isEmpty)
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.errors.hasPrefix("rxtop: error: '"))
    // The error message names both versions and says what to do.
    #expect(
      outcome.errors.contains("version \(major), but this rxtop reads version 1"),
      "\(outcome.errors)"
    )
    #expect(outcome.errors.contains("use the rxtop of the library"))
  }

  private func dump(_ text: String) throws -> Programs.Outcome {
    let scratch = try Scratch()
    let path = scratch.path("trace.rxtrace")
    try Data(try TraceText.assemble(text)).write(to: URL(filePath: path))
    return try Programs.rxtop("dump", path)
  }
}
