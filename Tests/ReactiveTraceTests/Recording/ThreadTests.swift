import Glibc
@testable import ReactiveTrace
import Testing
import TraceReading

@Suite(.serialized) struct ThreadTests {
  @Test func reusesSegmentsOfEndedThreads() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 1 << 20)
      for _ in 0..<250 {
        Recording.onThreads(4) { _ in
          let id = Recording.subscription()
          for _ in 0..<5 {
            Tracer.tick()
            Tracer.next(id)
          }
        }
      }
      let now = try Recording.snapshot()
      #expect(now.header.lostRecords == 0)
      #expect(now.problems == [])
      #expect(now.gaps == [])
      let next = now.records(.next)
      #expect(next.count == 5000)
      #expect(next.allSatisfy { $0.thread != 0 })
      // The records of all threads, seven of each and one for the thread switch, would fill two
      // segments. More are needed only because up to four threads run at once.
      #expect(now.header.lastEpoch <= 8)
      #expect(now.header.lost[.threads] ?? 0 == 0)
      #expect(now.threads.dropFirst().filter { $0.ended == nil }.count <= 1)
      // Each subscription belongs to one thread, and its records name that thread.
      let threads = Dictionary(grouping: next, by: \.id).mapValues { Set($0.map(\.thread)) }
      #expect(threads.values.allSatisfy { $0.count == 1 })
    }
  }

  /// A time is stored relative to the beginning of the segment, in 47 bits.
  @Test func aSegmentThatAnEndedThreadLeftLongAgoIsNotContinued() async {
    await #expect(processExitsWith: .success) {
      Trace.takeOverClock()
      try Recording.start(size: 1 << 20)
      let id = Recording.subscription()
      Recording.onThreads(1) { _ in Tracer.next(id) }
      Trace.advanceClock(by: .seconds(40 * 3600))
      for _ in 0..<3 {
        Recording.onThreads(1) { _ in
          Tracer.tick()
          Tracer.next(id)
        }
      }
      Trace.stop()
      let now = try Recording.snapshot()
      #expect(now.problems == [] && now.firstExactGeneration == 1)
      let hour: UInt64 = 3_600_000_000_000
      let times = now.records(.next).map { ($0.ticks - now.header.start.ticks) / hour }
      #expect(times == [0, 40, 40, 40])
    }
  }

  @Test func sharesASegmentWhenThereAreMoreThreadsThanSegments() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let started = Counter()
      Recording.onThreads(8) { _ in
        let id = Recording.subscription()
        started.add()
        while started.value < 8 { sched_yield() }
        for _ in 0..<300 {
          Tracer.tick()
          Tracer.next(id)
        }
      }
      let now = try Recording.snapshot()
      #expect(now.segments.contains { $0.thread == 0 })
      #expect(now.problems == [])
      #expect(now.header.lostRecords == 0)
      #expect(now.gaps == [])
      let next = now.records(.next)
      #expect(next.count == 2400)
      let threads = Dictionary(grouping: next, by: \.id).mapValues { Set($0.map(\.thread)) }
      #expect(threads.count == 8)
      #expect(Set(threads.values).count == 8, "each thread's records carry its own number")
      #expect(threads.values.allSatisfy { $0.count == 1 && $0 != [0] })
    }
  }

  @Test func keepsTheOrderOfThreadsThatTakeTurns() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let id = Recording.subscription()
      let turn = Counter()
      Recording.onThreads(3) { index in
        for _ in 0..<3000 {
          while turn.value % 3 != index { sched_yield() }
          Tracer.turnBegan(id)
          Tracer.next(id)
          Tracer.turnEnded(id)
          turn.add()
        }
      }
      let now = try Recording.snapshot()
      #expect(now.slot(id)?.eventCount == 9000)
      #expect(now.problems == [])
      #expect(now.gaps == [])
    }
  }

  /// A generation is a stretch of a trace that can be read without the earlier records.
  ///
  /// A thread that was preempted for a while must not begin one in the past: what others recorded
  /// meanwhile belongs to an earlier generation, and may be lost.
  @Test(arguments: [2, 8])
  func beginsNoGenerationBeforeThePreviousOneHasEnded(threads: Int) async {
    await #expect(processExitsWith: .success) { [threads = threads as Int] in
      try Recording.start(size: 256 << 10)
      let turn = Counter()
      Recording.onThreads(threads) { index in
        let id = Recording.subscription(line: UInt32(index + 1))
        for round in 0..<10 {
          while turn.value % threads != index { sched_yield() }
          // The last thread records a single event, with the time that it read earlier; the others
          // fill segments.
          if index == threads - 1, round > 0 {
            Tracer.next(id)
          } else {
            for _ in 0..<(8000 / (threads - 1)) {
              Tracer.tick()
              Tracer.next(id)
            }
          }
          turn.add()
        }
      }
      let now = try Recording.snapshot()
      #expect(now.header.generation > 3 && now.problems == [])
      let first = try #require(now.exactFrom)
      for record in now.records where !now.isExact(record) { #expect(record.ticks <= first) }
      for segment in now.segments {
        let earlier = now.records.filter { $0.generation < segment.generation }
        #expect(earlier.allSatisfy { $0.ticks <= segment.baseTicks })
      }
    }
  }

  /// This test is also meant for the thread sanitizer.
  @Test func survivesEverythingAtOnce() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 512 << 10, stacks: .all)
      let done = Counter()
      Recording.onThreads(3) { index in
        if index == 2 {
          // This thread reads the records of the others.
          while done.value < 2 {
            do {
              let now = try Recording.snapshot()
              for problem in now.problems { Issue.record("\(problem)") }
            } catch {
              Issue.record("\(error)")
            }
          }
          return
        }
        let queue = Tracer.scheduler(named: "queue \(index)", kind: .serialQueue)
        let source = Tracer.signalCreated(site: Recording.site("create"))
        for round in 0..<4000 {
          let site = Recording.site("map", line: UInt32(round % 40))
          let hop = Tracer.hopScheduled(scheduler: queue, subscription: .none)
          let outer = Tracer.hopBegan(hop)
          let signal = Tracer.signalCreated(site: site, upstream: source, others: [source])
          let id = Tracer.subscribed(site: site, signal: signal, downstream: .none)
          for held in 0..<10 {
            Tracer.next(id)
            Tracer.depth(id, held)
          }
          let timer = Tracer.timerArmed(
            site: site,
            subscription: id,
            microseconds: 5,
            scheduler: queue
          )
          Tracer.timerReturned(timer, Tracer.timerFired(timer))
          Tracer.ended(id, .completed)
          Tracer.signalReleased(signal)
          Tracer.timerEnded(timer, .cancelled)
          Tracer.subscriptionReleased(id)
          Tracer.hopEnded(hop, outer)
          if round % 500 == 0 { Trace.mark("round \(round)") }
          if round % 700 == 0 { Trace.level = round % 1400 == 0 ? .graph : .events }
        }
        done.add()
      }
      Trace.level = .events
      let now = try Recording.snapshot()
      #expect(now.problems == [])
      #expect(now.header.lostRecords == 0)
      #expect(now.sites.reduce(0) { $0 + $1.live } == 0)
      #expect(now.slots.allSatisfy { $0.kind == .signal })
      #expect(now.slots.count == 2)
      #expect(now.marks.contains { $0.name == "round 3500" })
    }
  }

  /// When a thread ends, the destructor of the recorder's thread-specific data may run before
  /// others: then the thread has given up its row and segment, and gets new ones.
  @Test func callsFromOtherDestructorsOfAThreadAreRecorded() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      // The recorder's key for thread-specific data is older, so its destructor runs first.
      _ = Recording.subscription("first")
      var key = pthread_key_t()
      pthread_key_create(&key) { _ in Tracer.next(Recording.subscription("late")) }
      let made = key
      for _ in 0..<50 {
        Recording.onThreads(4) { _ in
          Tracer.next(Recording.subscription("early"))
          pthread_setspecific(made, UnsafeRawPointer(bitPattern: 1))
        }
      }
      let now = try Recording.snapshot()
      #expect(now.site("early")?.subscribed == 200 && now.site("late")?.subscribed == 200)
      #expect(now.records(.next).count == 400 && now.header.lostRecords == 0)
      // Each thread has ended once, and their rows are reused; only the thread of the test has not
      // ended.
      let rows = now.threads.filter { $0.systemID != 0 }
      #expect(rows.count { $0.ended == nil } == 1)
    }
  }
}
