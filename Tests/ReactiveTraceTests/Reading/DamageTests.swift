import Testing
import TraceReading

/// Overwritten parts of a segment (a block of records of one thread) are reported, and no
/// generation whose records may be among them counts as exact.
///
/// A generation is a stretch of a trace that can be read without the earlier records.
@Suite struct DamageTests {
  /// Three segments of five hundred records, each in a separate generation.
  private static let whole: [UInt8] = {
    var text = "header generation=3\n"
    for epoch in 1...3 {
      text += "segment epoch=\(epoch) generation=\(epoch) baseTicks=\(epoch * 10_000) thread=1\n"
      for row in 0..<500 { text += "  +\(row * 2) next subscription=\(row + 1) sequence=1\n" }
    }
    return (try? TraceText.assemble(text)) ?? []
  }()

  private static let firstRecord = 4096 + 65536 + 64

  private func read(
    _ damage: Range<Int>,
    _ byte: UInt8
  ) throws -> (whole: TraceSnapshot, less: TraceSnapshot) {
    let file = try TemporaryFile(Self.whole)
    let whole = try TraceReader(path: file.path).snapshot()
    #expect(whole.problems.isEmpty && whole.records.count == 1500 && whole.exactFrom == 0)
    let bytes = [UInt8](repeating: byte, count: damage.count)
    try file.overwrite(bytes, at: Self.firstRecord + damage.lowerBound)
    return (whole, try TraceReader(path: file.path).snapshot())
  }

  /// Wherever the damage begins and ends, the remaining records are read as they were written.
  @Test(arguments: [0, 1, 2, 7, 8, 15], [0xEE, 0, 0xFF] as [UInt8])
  func recordsOutsideTheDamageAreUnchanged(offset: Int, byte: UInt8) throws {
    for length in [64, 4096 - offset % 5] {
      let start = 16 * 100 + offset
      let (whole, less) = try read(start..<(start + length), byte)
      let rows = (start / 16)...((start + length - 1) / 16)
      let truth = Dictionary(
        uniqueKeysWithValues: whole.records.lazy.map { ($0.number, ($0.id, $0.ticks)) }
      )
      for record in less.records {
        let place = Packing.position(ofRecord: record.number)
        // The record in which the damage begins may still look like a record; then its time is
        // wrong.
        if place == (2, rows.lowerBound), less.segments[1].hasWrongTimes { continue }
        #expect(place.epoch != 2 || !rows.contains(place.index))
        #expect(truth[record.number]?.0 == record.id && truth[record.number]?.1 == record.ticks)
        let isBehind = place.epoch == 2 && place.index > rows.upperBound
        if !less.segments[1].hasWrongTimes { #expect(record.thread == (isBehind ? 0 : 1)) }
      }
      #expect(less.records.count >= 1500 - rows.count - 1)
      #expect(less.damagedSegments == 1 && less.missingSegments == 0)
      // The overwritten records may have belonged to the generation of the next segment, which is
      // the last one, so no generation is sure to be complete.
      #expect(less.firstExactGeneration == nil)
      // The damage is reported at the first slot whose kind, in its first two bytes, is no longer
      // valid. Overwriting only the upper byte with zero changes nothing.
      let isKind = offset == 0 || offset == 1 && byte != 0
      let place = UInt64(Self.firstRecord + (rows.lowerBound + (isKind ? 0 : 1)) * 16)
      #expect(less.problems.contains { $0.byteOffset == place }, "\(less.problems)")
    }
  }

  @Test func aDamagedSegmentStaysDamagedWhenReadAgain() throws {
    let file = try TemporaryFile(Self.whole)
    try file.overwrite([UInt8](repeating: 0xEE, count: 64), at: Self.firstRecord)
    let reader = try TraceReader(path: file.path)
    var snapshot = try reader.snapshot()
    let (rows, problems) = (snapshot.segments[1].damagedRows, snapshot.problems)
    #expect(rows == [0..<4])
    try reader.update(&snapshot)
    #expect(snapshot.segments[1].damagedRows == rows && snapshot.problems == problems)
    #expect(snapshot.damagedSegments == 1 && snapshot.firstExactGeneration == nil)
  }

  @Test func damageBeyondSixteenRangesIsAddedToTheLastRange() throws {
    let file = try TemporaryFile(Self.whole)
    for row in stride(from: 0, to: 450, by: 3) {
      try file.overwrite([0, 0], at: Self.firstRecord + row * 16)
    }
    let snapshot = try TraceReader(path: file.path).snapshot()
    let rows = snapshot.segments[1].damagedRows
    #expect(rows.count == 16 && rows.first == 0..<1 && rows.last == 45..<448)
    #expect(snapshot.problems.count < 10)
    #expect(snapshot.records.count == 1500 - 150 - 149)
  }

  /// The last record of a segment gets a kind that needs a continuation, for which there is no
  /// room.
  @Test func aRecordThatExtendsBeyondItsSegmentIsReportedAsDamage() throws {
    let (_, less) = try read((16 * 499)..<(16 * 499 + 1), UInt8(RecordKind.entityStatus.rawValue))
    #expect(less.records.count == 1498)
    #expect(less.segments[1].damagedRows == [499..<500] && less.firstExactGeneration == nil)
  }

  /// Records have no checksum, so damage that results in a valid record is not noticed.
  @Test func aKindReplacedByAnotherValidOneIsNotDetected() throws {
    let (_, less) = try read((16 * 300)..<(16 * 300 + 1), UInt8(RecordKind.completed.rawValue))
    #expect(less.problems.isEmpty && less.exactFrom == 0)
    #expect(less.records.contains { $0.kind == .completed })
  }

  /// While the process writes, records with a time in the future are left for the next reading.
  ///
  /// Once it has ended, all records are in the file, and a time in the future means damage.
  @Test func recordsWithTimesInTheFutureAreReadIfTheProcessHasEnded() throws {
    let file = try TemporaryFile(Self.whole)
    let late = [UInt8](repeating: 0x6E, count: 6)
    try file.overwrite(late, at: Self.firstRecord + 16 * 10 + 2)
    let snapshot = try TraceReader(path: file.path).snapshot()
    #expect(snapshot.records.count == 1500 && snapshot.segments[1].hasWrongTimes)
    #expect(snapshot.damagedSegments == 1 && snapshot.firstExactGeneration == nil)
  }
}
