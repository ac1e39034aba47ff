import Testing
import TraceReading

/// Tests `TraceRecords`, a collection of records in order of time that does not decode all of them
/// to find one.
@Suite struct TraceRecordsTests {
  /// Overlapping segments of several threads, as lines of the text form.
  private struct Threads {
    var segments: [(head: String, lines: [String])] = []

    init(seed: UInt64, segments count: Int, records: UInt64) {
      var random = Random(seed: seed)
      var base: UInt64 = 0
      for segment in 0..<count {
        base += random.next(below: 400)
        var lines: [String] = []
        var delta: UInt64 = 0
        for index in 0..<(1 + random.next(below: records)) {
          delta += random.next(below: 4)
          switch random.next(below: 40) {
          case 0: lines.append("+\(delta) hop-began hop=\(index) scheduler=1")
          case 1:
            lines.append("+\(delta) hop-scheduled hop=\(index) chain=0 scheduler=1 subscription=0")
          case 2: lines.append("+\(delta) thread thread=\(index)")
          default: lines.append("+\(delta) next subscription=\(segment) sequence=\(index)")
          }
        }
        let head = "segment thread=\(segment % 5) baseTicks=\(base) generation=\(1 + segment / 8)"
        segments.append((head, lines))
      }
    }

    /// The bytes of the file when each segment has this fraction of its records.
    func bytes(_ part: Double) throws -> [UInt8] {
      let lines = segments.flatMap { segment in
        [segment.head] + segment.lines.prefix(Int(Double(segment.lines.count) * part))
      }
      return try TraceText.assemble(lines.joined(separator: "\n") + "\n")
    }
  }

  private static let threads = Threads(seed: 11, segments: 40, records: 900)

  private func whole() throws -> TraceRecords {
    let file = try TemporaryFile(try Self.threads.bytes(1))
    return try TraceReader(path: file.path).snapshot().records
  }

  @Test func recordsAreInOrderOfTimeAndOfTheirSegment() throws {
    let records = Array(try whole())
    #expect(records.count > 12_000)
    #expect(Set(records.map(\.number)).count == records.count)
    var last: [UInt64: UInt64] = [:]
    for (left, right) in zip(records, records.dropFirst()) { #expect(left.ticks <= right.ticks) }
    for record in records {
      let epoch = record.number >> 12
      #expect(last[epoch, default: 0] < record.number)
      last[epoch] = record.number
    }
  }

  @Test func allWaysOfAccessGiveTheSameRecords() throws {
    let records = try whole()
    let list = Array(records)
    #expect(records.indices.reversed().map { records[$0].number } == list.map(\.number).reversed())
    var random = Random(seed: 3)
    for _ in 0..<500 {
      let row = Int(random.next(below: UInt64(list.count)))
      #expect(records[row].number == list[row].number)
      #expect(records[row].thread == list[row].thread)
      #expect(records.row(ofNumber: list[row].number) == row)
      let ticks = list[row].ticks
      #expect(records.count(upTo: ticks) == list.lastIndex { $0.ticks <= ticks }.map { $0 + 1 })
      #expect(records.count(before: ticks) == list.firstIndex { $0.ticks >= ticks })
    }
    #expect(records.row(ofNumber: 1 << 40) == nil)
    for generation in 0...7 as ClosedRange<UInt64> {
      #expect(
        records.firstRow(fromGeneration: generation)
          == list.firstIndex { $0.generation >= generation }
      )
      #expect(
        records.lastRow(beforeGeneration: generation)
          == list.lastIndex { $0.generation < generation }
      )
    }
  }

  @Test func findsRecordsByKind() throws {
    let records = try whole()
    let list = Array(records)
    for kinds in [[.hopBegan], [.hopScheduled, .hopBegan], [.mark]] as [Set<RecordKind>] {
      let wanted = list.indices.filter { kinds.contains(list[$0].kind) }
      var found: [Int] = []
      records.forEach(of: RecordKinds(kinds)) { row, record in
        #expect(record.number == list[row].number)
        found.append(row)
      }
      #expect(found == wanted)
      found = []
      records.forEach(of: RecordKinds(kinds), in: 2000..<9000) { row, _ in found.append(row) }
      #expect(found == wanted.filter { (2000..<9000).contains($0) })
      for row in [0, 1, 4095, 4096, 9000, list.count] {
        let after = records.firstRow(of: RecordKinds(kinds), from: row)
        let before = records.lastRow(of: RecordKinds(kinds), before: row)
        #expect(after == wanted.first { $0 >= row })
        #expect(before == wanted.last { $0 < row })
      }
    }
    #expect(!records.kinds.contains(.mark) && records.kinds.contains(.hopBegan))
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func recordsReadInPiecesAreTheSame(seed: UInt64) throws {
    let threads = Threads(seed: seed, segments: 30, records: 600)
    let file = try TemporaryFile(try threads.bytes(0.1))
    let reader = try TraceReader(path: file.path)
    var snapshot = try reader.snapshot()
    for part in [0.2, 0.5, 0.55, 0.9, 1, 1] {
      try file.write(try threads.bytes(part))
      try reader.update(&snapshot)
    }
    let fresh = try reader.snapshot()
    #expect(snapshot.records.map(\.number) == fresh.records.map(\.number))
    #expect(snapshot.records.map(\.thread) == fresh.records.map(\.thread))
    #expect(snapshot.problems == [] && fresh.problems == [])
  }

  @Test func aTruncatedTailLosesItsRecordsAndNothingElse() throws {
    let bytes = try Fixture.named("tail").bytes()
    let file = try TemporaryFile(bytes)
    let snapshot = try TraceReader(path: file.path).snapshot()
    let count = snapshot.records.count
    #expect(!snapshot.records.hasLostRecords && count > 0)
    try file.write(Array(bytes[..<4096]))
    #expect(Array(snapshot.records).count == count)
    #expect(snapshot.records.contains { $0.kind == .continuation })
    #expect(snapshot.records.hasLostRecords)
  }

  @Test func canBeMutated() throws {
    var records = try whole()
    let list = Array(records)
    records.removeAll { $0.kind != .next }
    #expect(records.map(\.number) == list.filter { $0.kind == .next }.map(\.number))
    records.append(list[0])
    #expect(records.last?.number == list[0].number)
    records[0].argument = 99
    #expect(records.first?.argument == 99)
  }
}
