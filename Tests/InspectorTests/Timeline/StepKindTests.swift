import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Steps to failures, stalls and losses, in a trace that is complete, wrapped, or lacks a segment.
@Suite struct StepKindTests {
  /// Turns of two threads, some of which take long and some of which end with a failure.
  private struct RandomTurns {
    var trace = TraceSimulator()
    var failures: [UInt64] = []
    var stalls: [UInt64] = []

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      let threads = [trace.thread("main", isMain: true), trace.thread("pool")]
      let site = trace.site("map", "Feed.swift", 11)
      let signals = threads.map { trace.signal(site, thread: $0) }
      for _ in 0..<150 {
        let side = random.below(2)
        let thread = threads[side]
        let one = trace.subscribe(site, to: signals[side], thread: thread)
        trace.write(.turnBegan, signals[side], thread: thread)
        let isLong = random.once(in: 6)
        trace.wait(.milliseconds(isLong ? 100 + random.below(200) : random.below(20)))
        trace.next(one, thread: thread)
        if random.once(in: 7) {
          trace.write(.failed, one, thread: thread)
          failures.append(last)
          trace.end(one, .failed, thread: thread)
        }
        trace.write(.turnEnded, signals[side], thread: thread)
        if isLong { stalls.append(last) }
        trace.wait(.milliseconds(1))
        if random.once(in: 12) { trace.beginGeneration() }
      }
    }

    private var last: UInt64 { trace.snapshot.records.last?.number ?? 0 }
  }

  /// All stops of a kind from the beginning to the end; stepping backwards must give the same
  /// stops.
  private func stops(_ snapshot: TraceSnapshot, _ step: Step) -> [UInt64] {
    let timeline = Timeline(snapshot)
    func walk(from start: Position?, _ next: (Position) -> Position?) -> [UInt64] {
      var numbers: [UInt64] = []
      var here = start
      while case .event(let number)? = here {
        numbers.append(number)
        here = next(.event(number))
      }
      return numbers
    }
    let forward = walk(from: timeline.position(after: .time(.seconds(-1)), step)) {
      timeline.position(after: $0, step)
    }
    let backward = walk(from: timeline.position(before: .end, step)) {
      timeline.position(before: $0, step)
    }
    #expect(backward == forward.reversed(), "\(step)")
    return forward
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func aWholeTraceHasEachKindOfStep(seed: UInt64) {
    let turns = RandomTurns(seed: seed)
    let snapshot = turns.trace.finish()
    #expect(turns.failures.count > 5 && turns.stalls.count > 5)
    #expect(stops(snapshot, .error) == turns.failures)
    #expect(stops(snapshot, .stall) == turns.stalls)
    #expect(stops(snapshot, .loss) == [])
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func aWrappedTraceHasTheRemainingSteps(seed: UInt64) throws {
    let turns = RandomTurns(seed: seed)
    let whole = turns.trace.finish()
    for lost in [1, whole.header.generation / 2] {
      let wrapped = whole.wrapped(after: lost)
      let left = Set(wrapped.records.map(\.number))
      #expect(stops(wrapped, .error) == turns.failures.filter(left.contains))
      let stalls = stops(wrapped, .stall)
      #expect(Set(stalls).isSubset(of: turns.stalls))
      // At most one stall of each thread is missing, because its turn began before the window.
      #expect(stalls.count >= turns.stalls.count(where: left.contains) - 2)
      let begin = try #require(wrapped.records.first { $0.kind != .entityStatus })
      #expect(stops(wrapped, .loss) == [begin.number])
    }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func aTraceWithoutOneSegmentInventsNoSteps(seed: UInt64) {
    let turns = RandomTurns(seed: seed)
    let whole = turns.trace.finish()
    for segment in whole.segments {
      let damaged = whole.without(epoch: segment.epoch)
      let left = Set(damaged.records.map(\.number))
      #expect(stops(damaged, .error) == turns.failures.filter(left.contains))
      #expect(Set(stops(damaged, .stall)).isSubset(of: turns.stalls))
      #expect(Set(stops(damaged, .finding)).isSubset(of: left))
    }
  }

  @Test func withoutRecordsOfFailuresStepsStopAtEndsByFailure() {
    let turns = RandomTurns(seed: 4)
    var snapshot = turns.trace.finish()
    snapshot.records.removeAll { $0.kind == .failed }
    let ends = snapshot.records.filter { $0.endReason == .failed }.map(\.number)
    #expect(ends.count == turns.failures.count && stops(snapshot, .error) == ends)
  }
}
