import Glibc
import Testing

@testable import ReactiveTrace
import TraceReading

@Suite struct AsyncBacktraceTests {
  /// Schedules work, so that its backtrace names this function.
  @inline(never)
  static func scheduleFromHere(_ scheduler: UInt32) -> TraceHop {
    let hop = Tracer.hopScheduled(scheduler: scheduler, subscription: .none)
    precondition(hop.id != 0)
    return hop
  }

  /// Takes a backtrace that begins with this function.
  @inline(never)
  static func takeHere() -> AsyncBacktrace {
    let backtrace = AsyncBacktrace.current
    precondition(getpid() > 0)
    return backtrace
  }

  // MARK: Without a backtrace

  @Test func withoutATraceItSaysHowToGetOne() async {
    await #expect(processExitsWith: .success) {
      let backtrace = AsyncBacktrace.current
      #expect(backtrace.parts.isEmpty && backtrace.frames.isEmpty && !backtrace.isCut)
      #expect(backtrace.explanation?.contains("RXTRACE=1") == true)
      #expect(backtrace.description == backtrace.explanation)
      #expect(!backtrace.description.contains("\n"))
    }
  }

  @Test func afterTheEndOfRecordingItSaysHowToGetOne() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      Trace.stop()
      #expect(AsyncBacktrace.current.explanation?.contains("Trace.start()") == true)
    }
  }

  @Test func withoutStacksItExplainsWhy() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(stacks: .off)
      let backtrace = AsyncBacktrace.current
      #expect(backtrace.parts.isEmpty)
      #expect(backtrace.explanation?.contains("stacks=off") == true)
      #expect(backtrace.explanation?.contains("stacks=hops") == true)
    }
  }

  // MARK: Contents

  @Test func theFirstPartIsTheStackOfTheCaller() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let backtrace = AsyncBacktraceTests.takeHere()
      #expect(backtrace.explanation == nil)
      #expect(backtrace.parts.count == 1)
      let first = try #require(backtrace.frames.first)
      #expect(first.function?.contains("takeHere") == true, "\(first)")
      #expect(first.module?.hasSuffix(".xctest") == true)
      #expect(!first.isMachinery)
      #expect(backtrace.parts[0].scheduler == nil)
    }
  }

  @Test func furtherPartsShowWhereTheWorkWasScheduled() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let queue = Tracer.scheduler(named: "queue", kind: .serialQueue)
      let hop = AsyncBacktraceTests.scheduleFromHere(queue)
      var taken: AsyncBacktrace?
      Tracer.run(hop) { taken = AsyncBacktraceTests.takeHere() }
      let backtrace = try #require(taken)
      #expect(backtrace.parts.count == 2)
      #expect(backtrace.parts[1].scheduler == "queue")
      #expect(
        backtrace.parts[1].frames.first?.function?.contains("scheduleFromHere") == true,
        "\(backtrace)"
      )
      let lines = backtrace.description.split(separator: "\n")
      let separator = try #require(lines.firstIndex(of: "… asynchronously invoked from:"))
      #expect(lines[..<separator].contains { $0.contains("takeHere") })
      #expect(lines[separator...].contains { $0.contains("scheduleFromHere") })
      // Outside of the work, a backtrace has no part for the work.
      #expect(AsyncBacktraceTests.takeHere().parts.count == 1)
    }
  }

  @Test func workThatReschedulesItselfIsShownAsRepeated() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let queue = Tracer.scheduler(named: "queue", kind: .serialQueue)
      var hop = TraceHop()
      for _ in 0..<10_000 {
        var next = TraceHop()
        Tracer.run(hop) { next = AsyncBacktraceTests.scheduleFromHere(queue) }
        hop = next
      }
      var taken: AsyncBacktrace?
      Tracer.run(hop) { taken = AsyncBacktraceTests.takeHere() }
      let backtrace = try #require(taken)
      // A hop is work scheduled in one place and run in another. The parts are this function; then
      // all hops but the first, as one repeated part; and then the first hop, which was scheduled
      // outside of any work.
      #expect(backtrace.parts.map(\.isRepeated) == [false, true, false])
      #expect(backtrace.description.contains("and again from there"))
    }
  }

  @Test func tenThousandHopsTakeLittleSpaceAndAreReportedAsCut() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let queues = (0..<3).map { Tracer.scheduler(named: "q\($0)", kind: .serialQueue) }
      var hop = TraceHop()
      for round in 0..<10_000 {
        var next = TraceHop()
        Tracer.run(hop) { next = AsyncBacktraceTests.scheduleFromHere(queues[round % 3]) }
        hop = next
      }
      var taken: AsyncBacktrace?
      Tracer.run(hop) { taken = AsyncBacktraceTests.takeHere() }
      let backtrace = try #require(taken)
      #expect(backtrace.isCut && backtrace.parts.count <= 1 + Layout.Chain.depthLimit)
      #expect(backtrace.parts.count > Layout.Chain.depthLimit / 2)
      #expect(backtrace.description.hasSuffix("… older parts were not kept"))
      let now = try Recording.snapshot()
      #expect(now.chains.count < 200)
      #expect(now.header.lost[.chains] ?? 0 == 0 && now.header.lost[.stacks] ?? 0 == 0)
    }
  }

  @Test func aFullTableCutsChainsAndCountsThem() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      // There are so many schedulers, in an order that does not repeat, that the work needs more
      // different chains (asynchronous backtraces) than the table has rows.
      let queues = (0..<40).map { Tracer.scheduler(named: "q\($0)", kind: .serialQueue) }
      var hop = TraceHop()
      var state: UInt64 = 1
      for _ in 0..<10_000 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        var next = TraceHop()
        let queue = queues[Int(state >> 33) % queues.count]
        Tracer.run(hop) { next = AsyncBacktraceTests.scheduleFromHere(queue) }
        hop = next
      }
      let now = try Recording.snapshot()
      let region = try #require(now.header.regions[.chains])
      #expect(now.chains.count == Int(region.capacity))
      #expect(now.header.lost[.chains] ?? 0 > 0)
      #expect(now.chains.allSatisfy { $0.depth <= UInt32(Layout.Chain.depthLimit) })
    }
  }

  // MARK: Swift tasks

  @Test func aTaskContinuesTheBacktraceOfTheWorkThatMadeIt() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let queue = Tracer.scheduler(named: "queue", kind: .serialQueue)
      let hop = AsyncBacktraceTests.scheduleFromHere(queue)
      var task: Task<(AsyncBacktrace, TraceHop), Never>?
      Tracer.run(hop) {
        task = Task {
          await Task.yield()
          return (AsyncBacktraceTests.takeHere(), AsyncBacktraceTests.scheduleFromHere(queue))
        }
      }
      let (backtrace, next) = try #require(await task?.value)
      #expect(backtrace.parts.count == 3, "\(backtrace)")
      #expect(backtrace.parts[1].scheduler == "Task")
      #expect(backtrace.parts[2].frames.first?.function?.contains("scheduleFromHere") == true)
      let chains = try Recording.snapshot().chains
      let made = chains[Int(chains[Int(next.chain)].parent)]
      #expect(made.kind == .task && made.parent == hop.chain)
    }
  }

  @Test func aTaskThatIsLinkedLeadsToWhereItWasMade() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let backtrace = await AsyncBacktraceTests.linkATask().value
      #expect(backtrace.parts.count == 2, "\(backtrace)")
      #expect(
        backtrace.parts[1].frames.contains { $0.function?.contains("linkATask") == true },
        "\(backtrace)"
      )
    }
  }

  @inline(never)
  static func linkATask() -> Task<AsyncBacktrace, Never> {
    let task = AsyncBacktrace.link { Task { AsyncBacktraceTests.takeHere() } }
    precondition(getpid() > 0)
    return task
  }

  @Test func aTaskMadeOutsideOfWorkLeadsToWhereItWasMade() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let backtrace = await Task { AsyncBacktraceTests.takeHere() }.value
      #expect(backtrace.parts.count == 2, "\(backtrace)")
    }
  }

  @Test func withHopsOfTheLibraryOnlyATaskLeadsToWhereItIsLinked() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(hops: .own)
      let backtrace = await Task { AsyncBacktraceTests.takeHere() }.value
      #expect(backtrace.parts.count == 1, "\(backtrace)")
      let linked = await AsyncBacktraceTests.linkATask().value
      #expect(linked.parts.count == 2, "\(linked)")
    }
  }

  @Test func workRunFromAnOriginHasTheBacktraceOfThatOrigin() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let queue = Tracer.scheduler(named: "queue", kind: .serialQueue)
      let hop = AsyncBacktraceTests.scheduleFromHere(queue)
      let origin = AsyncBacktraceTests.originFromHere(queue)
      var taken: [AsyncBacktrace] = []
      Tracer.run(hop) {
        Tracer.run(from: origin) { taken.append(AsyncBacktraceTests.takeHere()) }
        taken.append(AsyncBacktraceTests.takeHere())
      }
      #expect(
        taken.map { $0.parts[1].frames.first?.function?.contains("originFromHere") } == [
          true, false,
        ]
      )
    }
  }

  @inline(never)
  static func originFromHere(_ scheduler: UInt32) -> TraceOrigin {
    let origin = Tracer.origin(scheduler: scheduler)
    precondition(origin.chain != 0)
    return origin
  }
}
