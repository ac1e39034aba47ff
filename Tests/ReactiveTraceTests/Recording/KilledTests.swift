import Glibc
import ReactiveTrace
import Synchronization
import Testing
import TraceReading

/// A program that is killed at any moment leaves a trace with everything up to that moment.
@Suite(.serialized) struct KilledTests {
  /// What is wrong with the trace, except for a write of the clocks that the kill interrupted: they
  /// are written from time to time, and an interrupted write is reported and harmless.
  private static func problems(_ trace: TraceSnapshot) -> [String] {
    trace.problems.map(\.description).filter { !$0.contains("the latest clock readings") }
  }

  /// An event is counted before its record is written, so the count may be one higher than the
  /// sequence number of the last record.
  private func check(_ path: String, threads: Int, minimumWraps: UInt64) throws {
    let reader = try TraceReader(path: path)
    let trace = try reader.snapshot()
    #expect(trace.processStatus == .died)
    #expect(trace.header.state == .recording)
    #expect(Self.problems(trace).isEmpty)
    #expect(trace.header.lostRecords == 0)
    #expect(trace.header.recycledSegments >= minimumWraps * 4)
    var last: [UInt32: UInt32] = [:]
    for record in trace.records(.next) where trace.isExact(record) {
      last[record.id] = record.argument
    }
    guard !last.isEmpty else {
      // A generation is a stretch of the trace that can be read without earlier records. In a ring
      // of four segments, a generation begins whenever a segment is full, and the one before is
      // overwritten when three more segments are handed out. If the kill came before any thread had
      // recorded a value in the new generation, that generation has hardly any records.
      let exact = trace.records.count { trace.isExact($0) }
      #expect(threads > 1 && exact <= 4 * threads, "\(exact)")
      return
    }
    #expect(trace.gaps == [])
    for slot in trace.slots {
      guard let sequence = last[slot.id.rawValue] else { continue }
      let count = UInt32(truncatingIfNeeded: slot.eventCount)
      #expect(count == sequence || count == sequence + 1, "\(slot.id)")
    }
  }

  @Test(
    arguments: [1, 8],
    // The number of events until the kill: within the first segments, and after more than three
    // wraps of the ring.
    [17, 1_203, 9_871, 70_003, 110_017, 181_999]
  )
  func aKilledProgramLeavesEverythingItWrote(threads: Int, events: Int) async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/killed.rxtrace"
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, threads = threads as Int, events = events as Int] in
      try Recording.start(size: 256 << 10, path: path)
      let counter = Counter()
      Recording.onThreads(threads + 1) { index in
        if index == threads {
          // This thread watches the others, and kills the process wherever they are then.
          while counter.value < events { sched_yield() }
          kill(getpid(), SIGKILL)
        }
        let ids = (0..<3).map { Recording.subscription(line: UInt32($0 + 1)) }
        while true {
          for id in ids {
            Tracer.turnBegan(id)
            Tracer.next(id)
            Tracer.turnEnded(id)
            counter.add()
          }
        }
      }
    }
    // Each turn of the loop makes three records, and a ring of four segments holds some 16 000.
    try check(path, threads: threads, minimumWraps: UInt64(events) * 3 / 16_368 / 2)
  }
}

extension KilledTests {
  /// In stream mode nothing is lost, however often the ring was reused, and however many threads
  /// record without a pause.
  @Test(arguments: [1, 3], [1_203, 30_011, 110_017])
  func aKilledProgramLeavesItsWholeStream(threads: Int, events: Int) async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/killed.rxtrace"
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, threads = threads as Int, events = events as Int] in
      try Recording.stream(size: 512 << 10, path: path)
      let counter = Counter()
      Recording.onThreads(threads + 1) { index in
        if index == threads {
          while counter.value < events { sched_yield() }
          kill(getpid(), SIGKILL)
        }
        let id = Recording.subscription()
        while true {
          Tracer.tick()
          Tracer.next(id)
          counter.add()
        }
      }
    }
    let trace = try TraceReader(path: path).snapshot()
    #expect(trace.processStatus == .died)
    #expect(Self.problems(trace) == [])
    #expect(trace.header.recycledSegments == 0)
    #expect(trace.firstExactGeneration == 1)
    #expect(trace.gaps == [])
    var counts: [UInt32: UInt32] = [:]
    for record in trace.records(.next) { counts[record.id, default: 0] += 1 }
    for slot in trace.slots where slot.kind == .subscription {
      let count = counts[slot.id.rawValue] ?? 0
      #expect(slot.eventCount == UInt64(count) || slot.eventCount == UInt64(count) + 1)
    }
    #expect(counts.values.reduce(0, +) >= UInt32(events))
  }
}

/// A counter that several threads increment.
final class Counter: Sendable {
  private let count = Atomic<Int>(0)
  var value: Int { count.load(ordering: .relaxed) }
  func add() { count.add(1, ordering: .relaxed) }
}
