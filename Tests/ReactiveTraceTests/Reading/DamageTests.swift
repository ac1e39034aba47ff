import Testing
import TraceReading

/// What is overwritten within a segment is reported, and nothing is called exact that it may have been about.
@Suite struct DamageTests {
  /// Three segments of five hundred records, each in a generation of its own.
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

  /// Wherever it begins and ends: what remains is what was written.
  @Test(arguments: [0, 1, 2, 7, 8, 15], [0xEE, 0, 0xFF] as [UInt8])
  func theRestIsAsItWasWritten(offset: Int, byte: UInt8) throws {
    for length in [64, 4096 - offset % 5] {
      let start = 16 * 100 + offset
      let (whole, less) = try read(start..<(start + length), byte)
      let rows = (start / 16)...((start + length - 1) / 16)
      let truth = Dictionary(
        uniqueKeysWithValues: whole.records.lazy.map { ($0.number, ($0.id, $0.ticks)) }
      )
      for record in less.records {
        let place = Packing.position(ofRecord: record.number)
        // Of the record in which it begins a part may be left that looks like one; then its time is not.
        if place == (2, rows.lowerBound), less.segments[1].hasWrongTimes { continue }
        #expect(place.epoch != 2 || !rows.contains(place.index))
        #expect(truth[record.number]?.0 == record.id && truth[record.number]?.1 == record.ticks)
        let isBehind = place.epoch == 2 && place.index > rows.upperBound
        if !less.segments[1].hasWrongTimes { #expect(record.thread == (isBehind ? 0 : 1)) }
      }
      #expect(less.records.count >= 1500 - rows.count - 1)
      #expect(less.damagedSegments == 1 && less.missingSegments == 0)
      // The segment behind may belong to the same generation as what was overwritten.
      #expect(less.firstExactGeneration == nil)
      // The first record that is none: a kind whose upper byte is overwritten by a zero is still one.
      let isKind = offset == 0 || offset == 1 && byte != 0
      let place = UInt64(Self.firstRecord + (rows.lowerBound + (isKind ? 0 : 1)) * 16)
      #expect(less.problems.contains { $0.byteOffset == place }, "\(less.problems)")
    }
  }

  @Test func whatIsReadAgainStaysDamaged() throws {
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

  @Test func manyPlacesAreSummedUp() throws {
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

  /// A record whose continuations would stand behind the end of its segment.
  @Test func aRecordThatRunsOverTheEndIsDamage() throws {
    let (_, less) = try read((16 * 499)..<(16 * 499 + 1), UInt8(RecordKind.entityStatus.rawValue))
    #expect(less.records.count == 1498)
    #expect(less.segments[1].damagedRows == [499..<500] && less.firstExactGeneration == nil)
  }

  /// There is no checksum: what could have been written is taken for what was.
  @Test func anotherKindThatFitsIsNotSeen() throws {
    let (_, less) = try read((16 * 300)..<(16 * 300 + 1), UInt8(RecordKind.completed.rawValue))
    #expect(less.problems.isEmpty && less.exactFrom == 0)
    #expect(less.records.contains { $0.kind == .completed })
  }

  /// A process that is gone writes no more: a time that is still to come is no reason to wait.
  @Test func timesToComeAreReadWhereTheProcessIsGone() throws {
    let file = try TemporaryFile(Self.whole)
    let late = [UInt8](repeating: 0x6E, count: 6)
    try file.overwrite(late, at: Self.firstRecord + 16 * 10 + 2)
    let snapshot = try TraceReader(path: file.path).snapshot()
    #expect(snapshot.records.count == 1500 && snapshot.segments[1].hasWrongTimes)
    #expect(snapshot.damagedSegments == 1 && snapshot.firstExactGeneration == nil)
  }
}
