import CReactiveTraceShims
import Testing

@testable import ReactiveTrace
import TraceReading

@Suite struct ChainTests {
  @Test func storesWhereWorkWasScheduled() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let queue = Tracer.scheduler(named: "q", kind: .serialQueue)
      let (hop, outside) = ChainTests.scheduleAndWalk(queue)
      let again = ChainTests.scheduleHere(queue)
      let now = try Recording.snapshot()
      let chain = now.chains[Int(hop.chain)]
      #expect(chain.parent == 0 && chain.scheduler == queue && !chain.isCut)
      // The first frame is in the function that scheduled the work, not in the recorder. A walk of
      // the stack from the same place finds the same frames after the first.
      #expect(Array(chain.frames.dropFirst()) == Array(outside.prefix(chain.frames.count - 1)))
      #expect(outside.count > 1 && chain.frames.count <= Layout.StackHeap.limit)
      #expect(again.chain != hop.chain)
      #expect(now.images.contains { $0.base <= chain.frames[0] && chain.frames[0] < $0.endOfText })
    }
  }

  /// Schedules work, and walks the stack from this function: the first frame is its caller.
  @inline(never)
  private static func scheduleAndWalk(_ queue: UInt32) -> (TraceHop, [UInt64]) {
    let hop = Tracer.hopScheduled(scheduler: queue, subscription: .none)
    let buffer = UnsafeMutablePointer<UInt64>.allocate(capacity: Layout.StackHeap.limit)
    defer { buffer.deallocate() }
    let walk = FrameWalk.capture(from: rxt_frame_address(), below: rxt_stack_end(), into: buffer)
    return (hop, (0..<walk.count).map { buffer[$0] })
  }

  @inline(never)
  private static func scheduleHere(_ queue: UInt32) -> TraceHop {
    let hop = Tracer.hopScheduled(scheduler: queue, subscription: .none)
    // The call must not be a tail call, or there would be no frame of this function.
    precondition(hop.id != 0)
    return hop
  }

  @Test func linksWorkToTheWorkThatScheduledIt() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let queue = Tracer.scheduler(named: "q", kind: .serialQueue)
      let other = Tracer.scheduler(named: "r", kind: .serialQueue)
      let first = ChainTests.scheduleHere(queue)
      let outer = Tracer.hopBegan(first)
      let second = ChainTests.scheduleHere(other)
      Tracer.hopEnded(first, outer)
      let third = ChainTests.scheduleHere(other)
      let now = try Recording.snapshot()
      #expect(now.chains[Int(second.chain)].parent == first.chain)
      #expect(now.chains[Int(second.chain)].scheduler == other)
      #expect(now.chains[Int(third.chain)].parent == 0)
    }
  }

  @Test func doesNotGrowWithWorkThatSchedulesItself() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let queue = Tracer.scheduler(named: "q", kind: .serialQueue)
      var hop = TraceHop()
      for _ in 0..<5000 {
        let outer = Tracer.hopBegan(hop)
        let next = ChainTests.scheduleHere(queue)
        Tracer.hopEnded(hop, outer)
        hop = next
      }
      // Row 0 means "none"; row 1 is the first hop (scheduled work), and row 2 stands for all hops
      // after it.
      let chains = try Recording.snapshot().chains
      #expect(chains.map(\.isRepeated) == [false, false, true])
      #expect(chains.last?.depth == 1 && chains.last?.parent == 0)
    }
  }

  @Test func cutsLongChainsAndKeepsTheNewerHalf() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let queues = (0..<2).map { Tracer.scheduler(named: "q\($0)", kind: .serialQueue) }
      var hop = TraceHop()
      // The two schedulers pass work to each other repeatedly.
      for round in 0..<5000 {
        let outer = Tracer.hopBegan(hop)
        let next = ChainTests.scheduleHere(queues[round % 2])
        Tracer.hopEnded(hop, outer)
        hop = next
      }
      let now = try Recording.snapshot()
      #expect(now.chains.count < 100)
      #expect(now.header.lost[.chains] ?? 0 == 0)
      #expect(now.problems == [])
      var length = 0
      var number = hop.chain
      var isCut = false
      while number != 0 {
        let chain = now.chains[Int(number)]
        #expect(
          chain.scheduler == queues[(4999 - length) % 2],
          "each link is the other scheduler's"
        )
        length += 1
        isCut = chain.isCut
        number = chain.parent
      }
      #expect((Layout.Chain.depthLimit / 2...Layout.Chain.depthLimit).contains(length))
      #expect(isCut)
    }
  }

  @Test func capturesNothingWhenStacksAreOff() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(stacks: .off)
      let hop = ChainTests.scheduleHere(Tracer.scheduler(named: "q", kind: .main))
      #expect(hop.chain == 0)
      let now = try Recording.snapshot()
      #expect(now.chains.count == 1)
      #expect(now.header.stackMode == .off)
    }
  }

  @Test(arguments: StackMode.allCases)
  func capturesTheCallersOfSubscribeIfTheModeRequestsIt(in mode: StackMode) async {
    await #expect(processExitsWith: .success) { [mode = mode.rawValue as UInt32] in
      let mode = try #require(StackMode(rawValue: mode))
      try Recording.start(stacks: mode)
      let root = ChainTests.deep(below: 30) { Recording.subscription() }
      let now = try Recording.snapshot()
      let chain = try #require(now.slot(root)?.chain)
      #expect(now.header.stackMode == mode)
      guard [.callers, .all].contains(mode) else { return #expect(chain == 0) }
      let frames = now.chains[Int(chain)].frames.count
      #expect(mode == .all ? frames > 30 : frames == Layout.StackHeap.callerLimit)
    }
  }

  /// Calls `body` with `frames` more frames on the stack.
  @inline(never)
  private static func deep(below frames: Int, _ body: () -> TraceID) -> TraceID {
    let id = frames == 0 ? body() : deep(below: frames - 1, body)
    // This prevents a tail call.
    return withExtendedLifetime(frames) { id }
  }
}
