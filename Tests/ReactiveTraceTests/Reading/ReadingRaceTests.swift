import ReactiveTrace
import Synchronization
import Testing
import TraceReading

/// Reads a ring that three threads overwrite continuously, as fast as they can.
@Suite struct ReadingRaceTests {
  @Test func noRecordIsHalfReadAndNoneOfTheExactWindowIsLost() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 512 << 10)
      let reader = try TraceReader(path: try #require(Trace.path), recordLimit: 100_000)
      let writers = 3
      let ids = (0..<writers).map { _ in Recording.subscription() }
      // The reader sets this when it has read enough.
      let isEnough = Atomic<Bool>(false)
      let written = Atomic<Int>(0)
      let kept = Atomic<Int>(0)
      Recording.onThreads(writers + 1) { index in
        if index < writers {
          var count = 0
          while !isEnough.load(ordering: .relaxed) {
            Tracer.tick()
            for _ in 0..<8 { Tracer.next(ids[index]) }
            count += 8
          }
          written.add(count, ordering: .relaxed)
          return
        }
        defer { isEnough.store(true, ordering: .relaxed) }
        do {
          var followed = try reader.snapshot()
          for _ in 0..<20 {
            try reader.update(&followed)
            expectSound(followed, ids)
            expectSound(try reader.snapshot(), ids)
          }
          kept.store(followed.records.count, ordering: .relaxed)
        } catch {
          Issue.record("\(error)")
        }
      }
      // The ring of eight segments was overwritten often; the reader kept more than the ring holds.
      let last = try reader.snapshot()
      #expect(last.header.lastEpoch > 8 * 5)
      #expect(kept.load(ordering: .relaxed) > last.records.count)
      #expect(last.gaps == [])
      let counted = ids.map { last.slot($0)?.eventCount ?? 0 }
      #expect(counted.reduce(0, +) == UInt64(written.load(ordering: .relaxed)))
    }
  }

  /// During a reading, a mark (an instant that the program names) may replace another one, and get
  /// a name that was not in the file when the reading began.
  @Test func marksSetDuringAReadingHaveTheirNames() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      _ = Recording.subscription()
      let isRead = Atomic<Bool>(false)
      Recording.onThreads(2) { index in
        if index == 0 {
          // There are no more names than the heap of strings has room for.
          var number = 0
          while !isRead.load(ordering: .relaxed), number < 3000 {
            Trace.mark("round \(number)")
            number += 1
          }
          return
        }
        defer { isRead.store(true, ordering: .relaxed) }
        do {
          for _ in 0..<40 {
            let now = try Recording.snapshot()
            #expect(now.problems == [], "\(now.problems)")
            // The recorder sets automatic marks as well if this takes long.
            let marks = now.marks.filter { $0.kind == .program }
            #expect(marks.allSatisfy { $0.name.hasPrefix("round ") })
          }
        } catch {
          Issue.record("\(error)")
        }
      }
    }
  }
}

/// Checks what is true of every reading, whenever it was made.
private func expectSound(_ snapshot: TraceSnapshot, _ ids: [TraceID]) {
  #expect(snapshot.problems == [], "\(snapshot.problems)")
  #expect(snapshot.missingSegments == 0)
  let known = Set(ids.map(\.rawValue))
  var last: [UInt32: UInt32] = [:]
  var ticks: UInt64 = 0
  var isOrdered = true
  var isGapless = true
  var isKnown = true
  var complaints: [String] = []
  for record in snapshot.records {
    if record.ticks < ticks {
      isOrdered = false
      complaints.append("\(record.kind) \(ticks - record.ticks) ticks before the last")
    }
    ticks = record.ticks
    guard record.kind == .next else { continue }
    if !known.contains(record.id) { isKnown = false }
    guard snapshot.isExact(record) else { continue }
    if let before = last[record.id], record.argument != before &+ 1 {
      isGapless = false
      complaints.append("\(record.id): \(record.argument) after \(before)")
    }
    last[record.id] = record.argument
  }
  #expect(isOrdered && isGapless && isKnown, "\(complaints.prefix(5))")
}
