import Testing
@testable import TraceReading

/// A short record is read as the long one that it stands for.
@Suite struct ShortRecordsTests {
  /// The same random records, once in long and once in short forms.
  private struct Pair {
    var long = ""
    var short = ""
    private var random: Random
    private var serial: UInt64
    private var delta: UInt64 = 0
    /// The number of 16-byte slots that the current segment takes in its long form.
    private var slots = 0

    init(seed: UInt64) {
      random = Random(seed: seed)
      // Identifiers contain 24 bits of a serial number, so these numbers also pass the end of that
      // range.
      serial = (1 << 24) - 500 + random.next(below: 1000)
      for epoch in 1...20 { addSegment(epoch) }
    }

    private mutating func addSegment(_ epoch: Int) {
      slots = 0
      let header = "segment epoch=\(epoch) thread=\(epoch % 3 + 1) baseTicks=\(delta)"
      long += header + "\n"
      short += header + " baseSerial=\(serial)\n"
      let base = delta
      var signal: UInt32 = 0
      while slots < 3500 {
        delta += random.next(below: 3)
        let time = " +\(delta - base) "
        switch random.next(below: 5) {
        case 0:
          let id = newID()
          let argument = random.next(below: 1 << 12)
          let first = "upstream=\(argument << 32)"
          add(time + "signal-created signal=\(id) site=3 \(first) serial=\(serial)", 2)
          short += time + "source-created signal=\(id) siteAndArgument=\(argument << 20 | 3)\n"
          signal = id
        case 1 where signal != 0:
          let id = newID()
          add(time + "signal-created signal=\(id) site=4 upstream=\(signal) serial=\(serial)", 2)
          short += time + "signal-appended signal=\(id) siteAndArgument=4\n"
          signal = id
        case 2:
          addStages(time)
          signal = 0
        case 3:
          let (by, below) = (random.next(below: 900), random.next(below: 900))
          let cause = ["operator", "downstream", "event"][Int(random.next(below: 3))]
          add(time + "tear-down chain=0 cause=\(cause) by=\(by) downstream=\(below)", 2)
          short += time + "\(cause)-tear-down by=\(by) downstream=\(below)\n"
          signal = 0
        default:
          add(time + "completed subscription=7", 1)
          short += time + "completed subscription=7\n"
          signal = 0
        }
      }
    }

    private mutating func addStages(_ time: String) {
      var below = random.next(below: 2) == 0 ? 0 : UInt32(random.next(below: 900))
      let (scheduler, chain) = (random.next(below: 1 << 16), random.next(below: 1 << 32))
      for stage in 0...random.next(below: 12) {
        let (id, signal, site) = (newID(), random.next(below: 1 << 32), random.next(below: 99))
        add(
          time + "subscribed subscription=\(id) site=\(site) downstream=\(below) serial=\(serial)"
            + " signal=\(signal) schedulerAndChain=\(scheduler << 32 | chain)",
          3
        )
        short +=
          stage == 0
          ? time + "stages-subscribed subscription=\(id) site=\(site)"
            + " downstreamAndScheduler=\(scheduler << 32 | UInt64(below))"
            + " signalAndChain=\(chain << 32 | signal)\n"
          : " +\(signal) continuation low=\(id) high=\(site)\n"
        below = id
      }
    }

    private mutating func newID() -> UInt32 {
      serial += 1
      let slot = UInt32(random.next(below: 255) + 1)
      return Packing.identifier(slot: slot, serial: serial, slotBits: 8).rawValue
    }

    private mutating func add(_ line: String, _ count: Int) {
      long += line + "\n"
      slots += count
    }
  }

  /// What a record says, without its place in the file.
  private func contents(_ record: TraceRecord) -> String {
    "\(record.ticks) \(record.thread) \(record.kind) \(record.id) \(record.argument) \(record.more)"
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func anyShortRecordsAreReadAsTheLongOnes(seed: UInt64) throws {
    let pair = Pair(seed: seed)
    let long = try TemporaryFile(try TraceText.assemble(pair.long))
    let short = try TemporaryFile(try TraceText.assemble(pair.short))
    let expected = try TraceReader(path: long.path).snapshot()
    let found = try TraceReader(path: short.path).snapshot()
    #expect(expected.problems.isEmpty && found.problems.isEmpty, "\(found.problems)")
    #expect(expected.records.count > 4 * RecordBlock.capacity)
    #expect(found.records.count == expected.records.count)
    for (one, other) in zip(found.records, expected.records) {
      #expect(contents(one) == contents(other))
      guard contents(one) == contents(other) else { break }
    }
    // Records are found by their number and their kind, too.
    for row in stride(from: 0, to: found.records.count, by: 97) {
      #expect(found.records.row(ofNumber: found.records[row].number) == row)
    }
    let kinds = RecordKinds([.subscribed, .tearDown])
    #expect(
      found.records.firstRow(of: kinds, from: 100) { _ in true }
        == expected.records.firstRow(of: kinds, from: 100) { _ in true }
    )
  }

  /// The file is read while it is written: after any record, and from any record on.
  @Test func aReadingMayBeginWithAnyRecord() throws {
    let lines = Pair(seed: 9).short.split(separator: "\n").map(String.init)
    let frame = "region segments capacity=20\n"
    // No cut is before a continuation, because a recorder publishes a record together with its
    // continuations.
    let cuts = [40, 41, 43, 700, 1501, 2600, 4200].map { start in
      lines[start...].firstIndex { !$0.contains(" continuation ") } ?? start
    }
    let file = try TemporaryFile(
      try TraceText.assemble(frame + lines[..<cuts[0]].joined(separator: "\n"))
    )
    let reader = try TraceReader(path: file.path)
    var snapshot = try reader.snapshot()
    for cut in cuts.dropFirst() + [lines.count] {
      try file.write(try TraceText.assemble(frame + lines[..<cut].joined(separator: "\n")))
      try reader.update(&snapshot)
    }
    let whole = try TraceReader(path: file.path).snapshot()
    #expect(snapshot.problems.isEmpty && snapshot.records.count == whole.records.count)
    for (one, other) in zip(snapshot.records, whole.records) {
      #expect(contents(one) == contents(other) && one.number == other.number)
      guard contents(one) == contents(other) else { break }
    }
  }

  @Test func anEndMayContainItsCause() throws {
    let file = try TemporaryFile(
      try TraceText.assemble(
        """
        segment thread=1
          +1 ended-by-downstream subscription=257 downstream=514
          +2 ended-by-operator subscription=770 downstream=514
          +3 ended-by-operator subscription=514 downstream=0
          +4 ended subscription=1028 reason=cancelled
        """
      )
    )
    let records = Array(try TraceReader(path: file.path).snapshot().records)
    #expect(records.map(\.endReason) == [.cancelled, .cancelled, .cancelled, .cancelled])
    #expect(records.map(\.tearDown?.cause) == [.downstream, .operator, .operator, nil])
    #expect(records.map { $0.tearDown?.by.rawValue } == [514, 514, 514, nil])
    #expect(records.map { $0.tearDown?.downstream.rawValue } == [514, 514, 0, nil])
  }

  @Test func aSignalAppendedToNothingIsDamage() throws {
    let file = try TemporaryFile(
      try TraceText.assemble(
        """
        segment thread=1
          +1 source-created signal=257 siteAndArgument=1
          +2 signal-appended signal=514 siteAndArgument=1
          +3 completed subscription=3
          +4 signal-appended signal=771 siteAndArgument=1
          +5 completed subscription=4
        """
      )
    )
    let snapshot = try TraceReader(path: file.path).snapshot()
    // The record before the damage may be damaged, too.
    #expect(snapshot.records.map(\.ticks) == [1, 2, 5])
    #expect(snapshot.segments[0].damagedRows == [3..<4])
    #expect(
      snapshot.problems.first?.message.contains("appended to a record that created none") == true
    )
  }

  /// The reader survives a change of any two bytes, and only the records at that place, and those
  /// that depend on them, change.
  @Test func overwrittenBytesHarmOnlyTheirSurroundings() throws {
    let text = Pair(seed: 4).short.split(separator: "\n").prefix(120).joined(separator: "\n")
    let bytes = try TraceText.assemble(text)
    let file = try TemporaryFile(bytes)
    let whole = try TraceReader(path: file.path).snapshot()
    let truth = Dictionary(uniqueKeysWithValues: whole.records.map { ($0.number, contents($0)) })
    let start = Int(whole.header.regions[.segments]?.offset ?? 0) + 64
    for slot in 0..<(Int(whole.segments[0].committed) - 64) / 16 {
      try file.write(bytes)
      try file.overwrite([0xEE, 0xEE], at: start + 16 * slot)
      let less = try TraceReader(path: file.path).snapshot()
      #expect(less.segments[0].isDamaged)
      for record in less.records {
        let place = Packing.position(ofRecord: record.number).index
        #expect(place != slot)
        var expected = truth[record.number] ?? "none"
        if place > slot { expected = expected.replacing(" 2 ", with: " 0 ", maxReplacements: 1) }
        #expect(contents(record) == expected)
      }
    }
  }
}
