import CReactiveTraceShims
import Glibc
import ReactiveTrace
import Testing
import TraceReading

/// Every call of `Tracer` leads to the right record and counters, and to the right slot, the row in
/// the table of live entities.
@Suite struct TracerRecordTests {
  @Test func recordsTheLifeOfASignal() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let site = Recording.site("combineLatest", traits: [.merging], line: 7, column: 3)
      let first = Tracer.signalCreated(site: site)
      let others = (0..<3).map { _ in Tracer.signalCreated(site: site, upstream: first) }
      let joined = Tracer.signalCreated(
        site: site,
        upstream: others[0],
        others: Array(others.dropFirst())
      )
      Tracer.signalNamed(joined, "all of them")
      let during = try Recording.snapshot()
      let slot = try #require(during.slot(joined))
      #expect(slot.kind == .signal)
      #expect(slot.state == .created)
      #expect(slot.link == others[0])
      #expect(slot.moreUpstreams == Array(others[1...]))
      #expect(during.string(slot.signal) == "all of them")
      #expect(slot.createdAt >= during.header.start.ticks)

      Tracer.signalReleased(joined)
      let after = try Recording.snapshot()
      #expect(after.slot(joined) == nil)
      #expect(after.problems == [])
      let row = try #require(after.site("combineLatest"))
      #expect(row.signalsCreated == 5)
      #expect(row.signalsReleased == 1)
      #expect(row.file == "Tests/File.swift" && row.line == 7 && row.column == 3)
      #expect(row.traits == [.merging])
      let created = after.records(.signalCreated)
      #expect(created.map(\.id) == ([first] + others + [joined]).map(\.rawValue))
      #expect(created[1].more.0 == UInt64(first.rawValue))
      #expect(created[4].more.1 == slot.serial)
      #expect(after.record(.signalNamed).map { after.string($0.argument) } == "all of them")
      #expect(after.record(.signalReleased)?.id == joined.rawValue)
      #expect(after.records(.entityStatus).isEmpty)
    }
  }

  @Test func theFirstSignalsOfALineRecordWhereTheyWereMade() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let site = Recording.site("map")
      let signals = (0..<100).map { _ in Tracer.signalCreated(site: site) }
      let joined = Tracer.signalCreated(
        site: site,
        upstream: signals[0],
        others: Array(signals[1..<3])
      )
      let now = try Recording.snapshot()
      let made = now.records(.signalMade)
      let known = Array(signals.prefix(16)) + [signals[31], signals[63]]
      #expect(made.map(\.entity) == known)
      for record in made {
        let slot = try #require(now.slot(record.entity))
        #expect(slot.chain == record.argument && slot.chain != 0 && slot.owner == 0)
        #expect(!now.chains[Int(slot.chain)].frames.isEmpty)
      }
      #expect(signals.allSatisfy { known.contains($0) || now.slot($0)?.chain == 0 })
      #expect(now.slot(joined)?.moreUpstreams.count == 2 && now.slot(joined)?.chain == 0)

      // A signal with a subscription is kept when the program releases it, and so is its chain.
      let id = Tracer.subscribed(site: site, signal: signals[0], downstream: .none)
      Tracer.signalReleased(signals[0])
      let later = try Recording.snapshot()
      let slot = try #require(later.slot(signals[0]))
      #expect(slot.owner == 1 && slot.chain == now.slot(signals[0])?.chain)
      Tracer.ended(id, .completed)
      #expect(try Recording.snapshot().slot(signals[0]) == nil)
    }
  }

  @Test func equalArgumentsShareOneRow() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let scheduler = Tracer.scheduler(named: "queue", kind: .serialQueue)
      let long = String(repeating: "x", count: 200)
      let arguments: [SignalArgument] = [
        .none, .closure, .list, .integer(3), .integer(-1), .integer(.max), .integer(.min),
        .duration(nanoseconds: 500_000_000), .duration(nanoseconds: -1),
        .duration(nanoseconds: .max),
        .scheduler(scheduler), .text("capacity: 2"), .text("values"), .part("values"), .text(long),
        .unknown,
      ]
      let site = Recording.site("take")
      let source = Tracer.signalCreated(site: site)
      let first = arguments.map {
        Tracer.signalCreated(site: site, upstream: source, argument: $0)
      }
      let again = arguments.reversed().map {
        Tracer.signalCreated(site: site, argument: $0)
      }
      let now = try Recording.snapshot()
      let expected = arguments.map { $0 == .text(long) ? .text(String(long.prefix(128))) : $0 }
      func inSlots(_ ids: [TraceID]) -> [SignalArgument] {
        ids.map { now.argument(now.slot($0)?.argument ?? 0) }
      }
      #expect(inSlots(first) == expected)
      #expect(inSlots(again) == expected.reversed())
      let created = now.records(.signalCreated).compactMap(\.signalCreation)
      #expect(
        created.map { now.argument($0.argument) } == [.unknown] + expected + expected.reversed()
      )
      let upstreams = first.map { _ in source } + again.map { _ in .none }
      #expect(created.map(\.upstream) == [.none] + upstreams)
      // There is one row for each argument; row 0 means "unknown".
      #expect(now.arguments.count == arguments.count)
      #expect(now.problems == [])
    }
  }

  @Test func argumentsThatDoNotFitAreCountedAndUnknown() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let site = Recording.site("take")
      for number in 0..<2000 {
        Tracer.signalReleased(Tracer.signalCreated(site: site, argument: .integer(number)))
      }
      let last = Tracer.signalCreated(site: site, argument: .integer(1999))
      let known = Tracer.signalCreated(site: site, argument: .integer(0))
      let now = try Recording.snapshot()
      #expect(now.slot(last)?.argument == 0)
      #expect(now.slot(known).map { now.argument($0.argument) } == .integer(0))
      #expect(now.arguments.count == 1024)
      // The table has 1024 rows: "unknown", three arguments without a value, and 1020 numbers.
      let lost = try #require(now.header.lost[.arguments])
      #expect(lost == 2000 - 1020 + 1)
    }
  }

  @Test func recordsTheLifeOfASubscription() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let site = Recording.site("map")
      let signal = Tracer.signalCreated(site: site)
      let outer = Tracer.subscribed(site: site, signal: signal, downstream: .none)
      let inner = Tracer.subscribed(site: site, signal: signal, downstream: outer)
      var now = try Recording.snapshot()
      #expect(now.slot(signal)?.state == .active)
      #expect(now.slot(signal)?.depth == 2)
      #expect(now.slot(signal)?.eventCount == 2)
      #expect(now.slot(inner)?.link == outer)
      #expect(now.slot(inner)?.signal == signal.rawValue)

      Tracer.disposeRequested(inner)
      #expect(try Recording.snapshot().slot(inner)?.state == .disposing)
      Tracer.ended(inner, .cancelled)
      // The second end and the second release of a subscription change nothing.
      Tracer.ended(inner, .failed)
      Tracer.disposableReleased(outer)
      Tracer.ended(outer, .completed)
      now = try Recording.snapshot()
      #expect(now.slot(inner)?.state == .ended)
      #expect(now.slot(signal)?.state == .inactive)
      Tracer.subscriptionReleased(inner)
      Tracer.subscriptionReleased(inner)
      now = try Recording.snapshot()
      #expect(now.slot(inner) == nil)
      #expect(now.slot(outer) != nil)
      let row = try #require(now.site("map"))
      #expect(row.subscribed == 2)
      #expect(row.live == 0)
      #expect(row.ended[Int(EndReason.cancelled.rawValue)] == 1)
      #expect(row.ended[Int(EndReason.completed.rawValue)] == 1)
      #expect(row.ended[Int(EndReason.failed.rawValue)] == 0)
      #expect(row.released == 1)
      #expect(row.disposablesReleased == 1)
      #expect(row.lifetimes.reduce(0, +) == 2)
      #expect(now.records(.subscribed).map(\.more.0) == [0, UInt64(outer.rawValue)])
      #expect(now.records(.ended).map(\.id) == [inner, outer].map(\.rawValue))
      #expect(now.records(.ended).map(\.endReason) == [.cancelled, .completed])
      #expect(now.record(.disposeRequested)?.id == inner.rawValue)
      #expect(now.record(.disposableReleased)?.id == outer.rawValue)
      #expect(now.record(.subscriptionReleased)?.id == inner.rawValue)
    }
  }

  @Test func recordsEvents() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let id = Recording.subscription()
      Tracer.turnBegan(id)
      Tracer.next(id)
      Tracer.next(id)
      Tracer.turnEnded(id)
      Tracer.completed(id)
      Tracer.failed(id, Recording.Type.self)
      // After the turn, the thread reads the time again.
      let late = rxt_ticks(rxt_thread_state().pointee.counts_cycles)
      Tracer.refused(id, .failed)
      for held in [1, 2, 3, 4, 2, 0, 0] { Tracer.depth(id, held) }
      let now = try Recording.snapshot()
      let next = now.records(.next)
      #expect(next.map(\.id) == [id.rawValue, id.rawValue])
      #expect(next.map(\.argument) == [1, 2])
      #expect(now.slot(id)?.eventCount == 2)
      let turn = try #require(now.record(.turnBegan))
      #expect(next.allSatisfy { $0.ticks == turn.ticks }, "the turn's time is used again")
      #expect(turn.argument == turn.thread && turn.thread != 0)
      #expect(now.record(.turnEnded).map { $0.ticks > turn.ticks } == true)
      #expect(now.record(.completed)?.id == id.rawValue)
      let failure = try #require(now.record(.failed))
      #expect(now.string(failure.argument).hasSuffix("Recording.Type"))
      #expect(now.record(.refused)?.refusedEvent == .failed)
      #expect(now.record(.refused).map { $0.ticks >= late } == true)
      #expect(now.site("map")?.refused == 1)
      #expect(now.records(.depth).map(\.argument) == [1, 2, 4, 0])

      Tracer.subscriptionReleased(id)
      let row = try #require(try Recording.snapshot().site("map"))
      #expect(row.eventsOfReleased == 2)
    }
  }

  /// A thread that finds a gate occupied, because another thread is delivering an event, has not
  /// read the clock since its own last delivery.
  @Test func theLengthOfAQueueIsRecordedWithItsTime() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let signal = Tracer.signalCreated(site: Recording.site("Subject"))
      var times: [UInt64] = []
      for held in [1, 2, 3, 4] {
        times.append(rxt_ticks(rxt_has_invariant_counter() ? 1 : 0))
        Tracer.depth(signal, held)
      }
      let records = try Recording.snapshot().records(.depth)
      #expect(records.map(\.argument) == [1, 2, 4])
      #expect(zip(records, [0, 1, 3]).allSatisfy { $0.ticks >= times[$1] })
    }
  }

  @Test func recordsHops() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(stacks: .hops)
      let id = Recording.subscription()
      let queue = Tracer.scheduler(named: "parsing", kind: .serialQueue)
      let first = Tracer.hopScheduled(scheduler: queue, subscription: id)
      let second = Tracer.hopScheduled(scheduler: queue, subscription: .none)
      let outer = Tracer.hopBegan(first)
      let made = Recording.subscription(line: 9)
      Tracer.hopEnded(first, outer)
      Tracer.hopCancelled(second)
      let later = Recording.subscription(line: 10)
      let now = try Recording.snapshot()
      let row = try #require(now.schedulers.first { $0.name == "parsing" })
      #expect(row.index == queue && row.kind == .serialQueue)
      #expect(row.scheduled == 2 && row.begun == 1 && row.cancelled == 1)
      let scheduled = now.records(.hopScheduled)
      #expect(scheduled.map(\.id) == [first.id, second.id])
      #expect(scheduled[0].argument == first.chain && first.chain != 0)
      #expect(scheduled[0].more.0 == UInt64(queue))
      #expect(scheduled[0].more.1 == UInt64(id.rawValue))
      #expect(now.record(.hopBegan)?.argument == queue)
      #expect(now.record(.hopEnded)?.id == first.id)
      #expect(now.record(.hopCancelled)?.id == second.id)
      #expect(now.slot(made)?.chain == first.chain)
      #expect(now.slot(made)?.scheduler == queue)
      #expect(now.slot(later)?.chain == 0)
      #expect(now.slot(later)?.scheduler == 0)
    }
  }

  @Test func aNestedTimerFireDoesNotHideEventsFromTheOuterOne() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let id = Recording.subscription()
      let site = Recording.site("interval", traits: [.timer])
      let timers = (0..<2).map { _ in
        Tracer.timerArmed(site: site, subscription: id, microseconds: 250, scheduler: 0)
      }
      func idleFires(_ around: (() -> Void) -> Void) throws -> [UInt32?] {
        let outer = Tracer.timerFired(timers[0])
        around {
          let inner = Tracer.timerFired(timers[1])
          Tracer.timerReturned(timers[1], inner)
        }
        Tracer.timerReturned(timers[0], outer)
        let now = try Recording.snapshot()
        return timers.map { now.slot($0)?.depth }
      }
      #expect(try idleFires { $0() } == [1, 1])
      let eventBefore = try idleFires { fire in
        Tracer.next(id)
        fire()
      }
      #expect(eventBefore == [0, 2])
      let eventAfter = try idleFires { fire in
        fire()
        Tracer.next(id)
      }
      #expect(eventAfter == [0, 3])
      #expect(try idleFires { $0() } == [1, 4])
    }
  }

  @Test func recordsTimers() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let id = Recording.subscription()
      let queue = Tracer.scheduler(named: "main", kind: .main)
      let site = Recording.site("interval", traits: [.timer, .endless])
      let timer = Tracer.timerArmed(
        site: site,
        subscription: id,
        microseconds: 250,
        scheduler: queue
      )
      func fire(_ body: () -> Void) {
        let before = Tracer.timerFired(timer)
        body()
        Tracer.timerReturned(timer, before)
      }
      fire {}
      fire {}
      #expect(try Recording.snapshot().slot(timer)?.depth == 2)
      fire { Tracer.next(id) }
      #expect(try Recording.snapshot().slot(timer)?.depth == 0)
      fire { Tracer.completed(id) }
      fire {}
      let now = try Recording.snapshot()
      let slot = try #require(now.slot(timer))
      #expect(slot.kind == .timer && slot.state == .active)
      #expect(slot.signal == 250)
      #expect(slot.link == id)
      #expect(slot.eventCount == 5 && slot.depth == 1)
      Tracer.timerEnded(timer, .cancelled)
      let after = try Recording.snapshot()
      #expect(after.slot(timer) == nil)
      let row = try #require(after.site("interval"))
      #expect(row.timersArmed == 1 && row.timersEnded == 1 && row.timerFires == 5)
      #expect(after.records(.timerFired).map(\.argument) == [1, 2, 3, 4, 5])
      #expect(after.record(.timerArmed)?.more.2 == 250)
      #expect(after.record(.timerEnded)?.endReason == .cancelled)
    }
  }

  @Test func countsWithoutEventsAtLevelGraph() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(level: .graph)
      let id = Recording.subscription()
      Tracer.turnBegan(id)
      for _ in 0..<10 { Tracer.next(id) }
      Tracer.turnEnded(id)
      let hop = Tracer.hopScheduled(
        scheduler: Tracer.scheduler(named: "q", kind: .other),
        subscription: id
      )
      Tracer.hopEnded(hop, Tracer.hopBegan(hop))
      Tracer.ended(id, .completed)
      let now = try Recording.snapshot()
      #expect(now.slot(id)?.eventCount == 10)
      #expect(
        now.records.map(\.kind) == [.signalCreated, .signalMade, .subscribed, .tearDown, .ended]
      )
      #expect(now.schedulers.last.map { $0.scheduled + $0.begun } == 2)
    }
  }
}
