import Testing
@testable import TraceReading

/// There is a single order for the records of all threads.
@Suite struct RecordOrderTests {
  private func order(_ text: String) throws -> [RecordKind] {
    let file = try TemporaryFile(try TraceText.assemble(text))
    return try TraceReader(path: file.path).snapshot().records.map(\.kind)
  }

  @Test func workIsScheduledBeforeItBeginsAtTheSameTime() throws {
    // The segment of the thread that begins the work is the older one.
    let kinds = try order(
      """
      segment thread=1
        +5 hop-began hop=1 scheduler=1
        +5 next subscription=1 sequence=1
      segment thread=2
        +5 completed subscription=2
        +5 hop-scheduled hop=1 chain=0 scheduler=1 subscription=0
        +6 completed subscription=3
      """
    )
    #expect(kinds == [.completed, .hopScheduled, .hopBegan, .next, .completed])
  }

  @Test func workIsScheduledBeforeItIsCancelledAtTheSameTime() throws {
    let kinds = try order(
      """
      segment thread=1
        +5 hop-cancelled hop=1 scheduler=1
      segment thread=2
        +5 hop-scheduled hop=1 chain=0 scheduler=1 subscription=0
      """
    )
    #expect(kinds == [.hopScheduled, .hopCancelled])
  }

  /// The segments of many threads overlap in every way.
  ///
  /// Records are ordered by time, and at equal times by number.
  @Test func anyNumberOfThreadsIsMerged() throws {
    var random = Random(seed: 7)
    var text = ""
    var base: UInt64 = 0
    for segment in 0..<40 {
      base += random.next(below: 50)
      text += "segment thread=\(segment % 7 + 1) baseTicks=\(base)\n"
      var delta: UInt64 = 0
      for index in 0..<(random.next(below: 30)) {
        delta += random.next(below: 9)
        text += " +\(delta) next subscription=\(segment) sequence=\(index)\n"
      }
    }
    let file = try TemporaryFile(try TraceText.assemble(text))
    let records = try TraceReader(path: file.path).snapshot().records
    #expect(records.count > 300)
    for (left, right) in zip(records, records.dropFirst()) {
      #expect((left.ticks, left.number) < (right.ticks, right.number))
    }
  }

  @Test func recordsOfWorkFollowItsBeginningIntoTheNextSegment() throws {
    let kinds = try order(
      """
      segment thread=2 epoch=3
        +5 hop-scheduled hop=1 chain=0 scheduler=1 subscription=0
      segment thread=1 epoch=2
        +5 next subscription=1 sequence=1
        +6 hop-ended hop=1
      segment thread=1 epoch=1
        +5 hop-began hop=1 scheduler=1
      """
    )
    #expect(kinds == [.hopScheduled, .hopBegan, .next, .hopEnded])
  }

  /// Time advances so slowly that many segments begin at the time at which the ones before them
  /// end.
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func theRecordsOfAThreadKeepTheirOrderOverItsSegments(seed: UInt64) throws {
    var random = Random(seed: seed)
    var times = [UInt64](repeating: 1, count: 3)
    var counts = [Int](repeating: 0, count: 3)
    var text = ""
    for epoch in 1...400 {
      let thread = Int(random.next(below: 3))
      let base = times[thread]
      text += "segment thread=\(thread + 1) epoch=\(epoch) baseTicks=\(base)\n"
      for _ in 0...random.next(below: 60) {
        if random.next(below: 12) == 0 { times[thread] += 1 }
        counts[thread] += 1
        let what =
          random.next(below: 3) == 0
          ? "hop-began hop=\(counts[thread]) scheduler=1"
          : "next subscription=1 sequence=\(counts[thread])"
        text += " +\(times[thread] - base) \(what)\n"
      }
    }
    let file = try TemporaryFile(try TraceText.assemble(text))
    let records = try TraceReader(path: file.path).snapshot().records
    #expect(records.count == counts.reduce(0, +))
    #expect(records.count > 2 * RecordBlock.capacity)
    var seen = [UInt64](repeating: 0, count: 4)
    for record in records {
      #expect(seen[Int(record.thread)] < record.number)
      seen[Int(record.thread)] = record.number
    }
    #expect(zip(records, records.dropFirst()).allSatisfy { $0.ticks <= $1.ticks })
  }
}
