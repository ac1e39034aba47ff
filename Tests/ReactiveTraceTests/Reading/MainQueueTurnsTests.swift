import Testing
import TraceReading

@Suite struct MainQueueTurnsTests {
  private static func record(
    _ kind: RecordKind,
    _ id: UInt32,
    _ thread: UInt32 = 1
  ) -> TraceRecord {
    var record = TraceRecord()
    (record.kind, record.id, record.thread) = (kind, id, thread)
    return record
  }

  /// Whether thread 1 is on the main queue after each record; nil if that is unknown.
  private func places(_ records: [TraceRecord]) -> [Bool?] {
    var turns = MainQueueTurns()
    return records.map {
      turns.process($0)
      return turns.isOnMainQueue(1)
    }
  }

  @Test func runsOnAppliesToTheTurnThatFollows() {
    let found = places([
      Self.record(.runsOn, 1), Self.record(.turnBegan, 7), Self.record(.runsOn, 2),
      Self.record(.turnBegan, 8), Self.record(.turnEnded, 8), Self.record(.turnEnded, 7),
    ])
    #expect(found == [nil, true, true, false, true, nil])
  }

  @Test func theQueueIsUnknownUnlessARecordOfTheThreadStatesIt() {
    let found = places([
      Self.record(.turnBegan, 7), Self.record(.turnEnded, 7), Self.record(.runsOn, 1, 2),
      Self.record(.turnBegan, 7), Self.record(.turnEnded, 7), Self.record(.runsOn, 3),
      Self.record(.turnBegan, 7),
    ])
    #expect(found == [nil, nil, nil, nil, nil, nil, nil])
  }

  @Test func toleratesMissingAndUnmatchedEnds() {
    let found = places([
      Self.record(.turnEnded, 9), Self.record(.runsOn, 1), Self.record(.turnBegan, 7),
      Self.record(.turnBegan, 8), Self.record(.runsOn, 2), Self.record(.turnBegan, 7),
      Self.record(.turnEnded, 7), Self.record(.turnEnded, 8),
    ])
    #expect(found == [nil, nil, true, true, true, false, nil, nil])
  }
}
