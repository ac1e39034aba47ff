import Testing
import TraceModel
import TraceReading

/// In random traces, the entity that `EntityStore` finds for a record is the one that the simplest
/// method finds: reading all creations from the beginning of the whole trace.
@Suite struct EntityStoreTests {
  /// The serial of the entity that each record is about, by the record's number.
  private func truth(_ snapshot: TraceSnapshot) -> [UInt64: UInt64] {
    var born: [TraceID: UInt64] = [:]
    var truth: [UInt64: UInt64] = [:]
    for record in snapshot.records {
      if [.signalCreated, .subscribed, .timerArmed, .ownerCreated].contains(record.kind) {
        born[record.entity] = record.more.1
      }
      truth[record.number] = born[record.entity]
    }
    return truth
  }

  /// A trace with so many entities that their slots, the rows of the table of live entities, are
  /// reused again and again.
  private func lives(_ seed: UInt64) -> TraceSnapshot {
    RandomLifetimes(seed: seed, steps: 400).snapshot
  }

  @Test(arguments: 1...8)
  func inAWholeTraceAnIdentifierMeansTheLastEntityCreatedWithIt(seed: UInt64) {
    let snapshot = lives(seed)
    let truth = truth(snapshot)
    let store = EntityStore(snapshot)
    for (row, record) in snapshot.records.enumerated() where record.entity != .none {
      #expect(store.life(record.entity, at: row)?.key.serial == truth[record.number])
    }
    #expect(Set(store.all.map(\.key.serial)) == Set(truth.values))
    #expect(store.all.map(\.key.serial) == store.all.map(\.key.serial).sorted())
  }

  @Test(arguments: 1...8)
  func lossesMakeAnswersUnknownButNeverDifferent(seed: UInt64) {
    let snapshot = lives(seed)
    let truth = truth(snapshot)
    let losses =
      (1..<snapshot.header.generation).map { snapshot.wrapped(after: $0) }
      + snapshot.segments.map { snapshot.without(epoch: $0.epoch) }
    var known = 0
    var mentions = 0
    for loss in losses {
      let store = EntityStore(loss)
      for (row, record) in loss.records.enumerated() where record.entity != .none {
        mentions += 1
        guard let life = store.life(record.entity, at: row) else { continue }
        known += 1
        #expect(life.key.serial == truth[record.number], "record \(record.number)")
      }
    }
    #expect(known * 100 > mentions * 98)
  }

  @Test(arguments: 1...8)
  func aPartOfTheRecordsGivesTheSameAnswersAsAll(seed: UInt64) {
    let snapshot = lives(seed)
    var random = SeededGenerator(seed: seed)
    for snapshot in [snapshot, snapshot.wrapped(after: snapshot.header.generation / 2)] {
      let whole = EntityStore(snapshot)
      for _ in 0..<20 {
        let first = random.below(snapshot.records.count)
        let rows = first..<(first + 1 + random.below(snapshot.records.count - first))
        let part = EntityStore(snapshot, in: rows)
        for row in rows {
          let id = snapshot.records[row].entity
          #expect(
            part.life(id, at: row)?.key == whole.life(id, at: row)?.key,
            "row \(row) of \(rows)"
          )
        }
      }
    }
  }

  @Test(arguments: 1...8)
  func anEntityEndsAtTheTimeOfTheRecordOfItsEnd(seed: UInt64) {
    let snapshot = lives(seed)
    let store = EntityStore(snapshot)
    var ends: [UInt64: UInt64] = [:]
    for (row, record) in snapshot.records.enumerated()
    where [.ended, .timerEnded, .signalReleased, .ownerEnded].contains(record.kind) {
      guard let life = store.life(record.entity, at: row) else { continue }
      ends[life.key.serial] = ends[life.key.serial] ?? record.ticks
    }
    for life in store.all {
      #expect(store.endedAt(life) == ends[life.key.serial])
      #expect(!life.isEndUnknown)
    }
  }

  @Test func anEntityIsFoundByItsSerialAlone() throws {
    let snapshot = lives(1)
    let store = EntityStore(snapshot)
    let life = try #require(store.all.dropFirst(7).first)
    #expect(store.life(EntityKey(id: .none, serial: life.key.serial))?.key == life.key)
    #expect(store.life(EntityKey(id: life.key.id, serial: life.key.serial + 100_000)) == nil)
  }

  /// A header may claim two billion slots, and a record may name the last one.
  @Test(.timeLimit(.minutes(30)))
  func noMemoryIsAllocatedForClaimedSlots() {
    var snapshot = lives(1)
    snapshot.header.slotBits = 31
    let id = TraceID(rawValue: .max)
    let row = snapshot.records.firstIndex { $0.kind == .subscribed } ?? 0
    snapshot.records[row].id = id.rawValue
    snapshot.slots = []
    let serial = snapshot.records[row].more.1
    #expect(EntityStore(snapshot).life(id, at: row)?.key.serial == serial)
    #expect(EntityStore(snapshot, in: row..<(row + 1)).life(id, at: row)?.key.serial == serial)
  }

  @Test func anEntityTakesFortyEightBytes() {
    #expect(MemoryLayout<EntityStore.Life>.stride == 48)
  }
}
