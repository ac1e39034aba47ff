import CReactiveTraceShims
import TracePlatform

/// Hops, which are passages of work to where it runs, and timers. Every method must be called by a
/// thread that has called ``Recorder/enter()``.
extension Recorder {
  // MARK: Asynchronous backtraces

  /// The chain (asynchronous backtrace) of work that is scheduled, or of a subscription that is
  /// made, by the function with the frame `frame`; the current chain if the stack cannot be stored.
  func chain(
    _ thread: ThreadState,
    from frame: UInt,
    limit: Int = Layout.StackHeap.limit,
    scheduler: UInt32,
    kind: HopKind = .scheduler
  ) -> UInt32 {
    let own = chainOfItsOwn(thread, from: frame, limit: limit, scheduler: scheduler, kind: kind)
    return own == 0 ? chainNow(thread) : own
  }

  /// Does the same as ``chain(_:from:limit:scheduler:kind:)``, but returns 0 if the stack cannot be
  /// stored, or if no code of the program was involved in resuming a task.
  ///
  /// The parent of the chain is `parent`, or, if that is nil, the current chain.
  func chainOfItsOwn(
    _ thread: ThreadState,
    from frame: UInt,
    limit: Int = Layout.StackHeap.limit,
    scheduler: UInt32,
    kind: HopKind = .scheduler,
    parent: UInt32? = nil
  ) -> UInt32 {
    if thread.pointee.stack_high == 0 { thread.pointee.stack_high = rxt_stack_end() }
    let parent = parent ?? chainNow(thread)
    var key = rxt_walk_key(
      innermost: rxt_innermost(frame, thread.pointee.stack_high),
      parent: parent,
      scheduler: scheduler,
      kind: kind.rawValue,
      limit: UInt16(truncatingIfNeeded: limit),
      walks_task: FrameWalk.isInTask ? 1 : 0
    )
    if let known = rxt_find_walk(thread, &key, frame) { return known.pointee.chain }
    return chainOfNewWalk(thread, &key, from: frame)
  }

  /// Walks the stack, and remembers its chain for a thread that comes to the same place again.
  @inline(never)
  private func chainOfNewWalk(
    _ thread: ThreadState,
    _ key: inout rxt_walk_key,
    from frame: UInt
  ) -> UInt32 {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Layout.StackHeap.limit) { buffer in
      guard let addresses = buffer.baseAddress else { return 0 }
      let walk = FrameWalk.capture(
        from: frame,
        below: thread.pointee.stack_high,
        limit: Int(key.limit),
        into: addresses
      )
      var chain: UInt32 = 0
      let kind = HopKind(rawValue: key.kind) ?? .scheduler
      if kind != .resumed || rxt_is_called_by_program(addresses, UInt32(walk.count)) {
        var stack = stackTable.find(walk)
        if stack == 0 { stack = tables.withLock { stackTable.intern(walk) } }
        guard stack != 0 else { return 0 }
        chain = self.chain(
          of: ChainTable.Link(
            stack: stack,
            parent: key.parent,
            scheduler: key.scheduler,
            kind: kind
          )
        )
        // If there was no room, this is not remembered, so that the next call counts the chain as
        // lost again.
        guard chain != 0 else { return 0 }
      }
      let count = UInt32(walk.count)
      rxt_remember_walk(thread, &key, chain, frame, walk.taskFrame, addresses, count)
      return chain
    }
  }

  /// The number of the chain that consists of `link` and its parent; 0 if there is no room.
  private func chain(of link: ChainTable.Link) -> UInt32 {
    let (link, repeated) = chains.folded(link)
    if repeated != 0 { return repeated }
    let known = chains.find(link)
    return known != 0 ? known : tables.withLock { chains.intern(link) }
  }

  // MARK: Hops

  func hopScheduled(
    _ thread: ThreadState,
    from frame: UInt,
    scheduler: UInt32,
    subscription: TraceID
  ) -> TraceHop {
    schedulers.count(Layout.Scheduler.scheduled, scheduler)
    var hop = TraceHop()
    hop.id = nextHop.next()
    hop.scheduler = scheduler
    hop.chain =
      capturesHops ? chain(thread, from: frame, scheduler: scheduler) : 0
    guard thread.pointee.level >= TraceLevel.events.rawValue else { return hop }
    var record = PendingRecord(.hopScheduled, hop.id, hop.chain)
    record.continuations = 1
    record.more.0 = UInt64(scheduler)
    record.more.1 = UInt64(subscription.rawValue)
    write(record, thread)
    return hop
  }

  func hopBegan(_ thread: ThreadState, _ hop: TraceHop) -> TraceHop.Outer {
    var outer = TraceHop.Outer()
    outer.chain = rxt_chain_begin(thread, hop.chain)
    outer.scheduler = thread.pointee.scheduler_id
    thread.pointee.scheduler_id = hop.scheduler
    if !isStopped(thread) { schedulers.count(Layout.Scheduler.begun, hop.scheduler) }
    if thread.pointee.level >= TraceLevel.events.rawValue {
      write(PendingRecord(.hopBegan, hop.id, hop.scheduler), thread)
    }
    return outer
  }

  func hopEnded(_ thread: ThreadState, _ hop: TraceHop, _ outer: TraceHop.Outer) {
    if thread.pointee.level >= TraceLevel.events.rawValue {
      write(PendingRecord(.hopEnded, hop.id), thread)
    }
    rxt_chain_end(thread, outer.chain)
    thread.pointee.scheduler_id = outer.scheduler
  }

  func hopCancelled(_ thread: ThreadState, _ hop: TraceHop) {
    if !isStopped(thread) { schedulers.count(Layout.Scheduler.cancelled, hop.scheduler) }
    guard thread.pointee.level >= TraceLevel.events.rawValue else { return }
    write(PendingRecord(.hopCancelled, hop.id, hop.scheduler), thread)
  }

  /// Records whether the thread runs the main queue, unless that follows from the scheduler whose
  /// work runs, or is already recorded in this segment.
  ///
  /// The main thread is on the main queue until other threads serve that queue, so nothing is
  /// recorded for it.
  @inline(__always)
  func recordPlace(_ thread: ThreadState) {
    if thread.pointee.scheduler_id == 0, thread.pointee.is_main != 1 { recordPlaceOfOther(thread) }
  }

  @inline(never)
  private func recordPlaceOfOther(_ thread: ThreadState) {
    if thread.pointee.is_main == 0 { thread.pointee.is_main = rxt_is_main_thread() ? 1 : 2 }
    guard thread.pointee.is_main != 1, let lists = thread.pointee.lists else { return }
    let place = rxt_runs_on()
    let isRecorded =
      lists.pointee.recorded_place == place && lists.pointee.recorded_base == thread.pointee.base
      && thread.pointee.segment != nil
    guard !isRecorded, place != 0 else { return }
    write(PendingRecord(.runsOn, place), thread)
    lists.pointee.recorded_place = place
    // The record may have been the first in a new segment.
    lists.pointee.recorded_base = thread.pointee.base
  }

  // MARK: Timers

  func timerArmed(
    _ thread: ThreadState,
    site: UInt32,
    subscription: TraceID,
    microseconds: UInt32,
    scheduler: UInt32,
    chain: UInt32
  ) -> TraceID {
    let contents = Slab.Contents(
      kind: .timer,
      state: .active,
      scheduler: scheduler,
      site: site,
      signal: microseconds,
      link: subscription,
      chain: chain,
      createdAt: thread.pointee.time
    )
    let id = slab.lock.withLock { slab.allocate(contents) }
    guard id != .none else { return .none }
    Layout.Site.timersArmed.add(1, at: sites.row(site))
    let slot = slab.slot(id)
    var record = PendingRecord(.timerArmed, id.rawValue, site)
    record.continuations = 2
    record.more.0 = UInt64(subscription.rawValue)
    record.more.1 = Layout.Slot.serial.relaxed(at: slot)
    record.more.2 = UInt64(microseconds)
    record.more.3 = Packing.pair(high: scheduler, low: chain)
    write(record, thread, about: slot, isCreation: true)
    return id
  }

  func timerFired(_ thread: ThreadState, _ id: TraceID) {
    guard let slot = slab.liveSlot(id, .timer) else { return }
    let fires = Layout.Slot.eventCount.add(1, at: slot) &+ 1
    Layout.Slot.lastEventAt.setRelaxed(thread.pointee.time, at: slot)
    Layout.Site.timerFires.add(1, at: sites.row(Layout.Slot.site.relaxed(at: slot)))
    guard thread.pointee.level >= TraceLevel.events.rawValue else { return }
    let record = PendingRecord(.timerFired, id.rawValue, UInt32(truncatingIfNeeded: fires))
    write(record, thread, about: slot, isEvent: true)
  }

  /// Counts a fire of the timer that led to no event, or resets that count after one that did.
  func timerReturned(_ thread: ThreadState, _ id: TraceID, isIdle: Bool) {
    guard let slot = slab.liveSlot(id, .timer) else { return }
    if isIdle {
      Layout.Slot.depth.add(1, at: slot)
    } else {
      Layout.Slot.depth.setRelaxed(0, at: slot)
    }
  }

  func timerEnded(_ thread: ThreadState, _ id: TraceID, _ reason: EndReason) {
    guard let slot = slab.liveSlot(id, .timer) else { return }
    Layout.Site.timersEnded.add(1, at: sites.row(Layout.Slot.site.relaxed(at: slot)))
    if thread.pointee.level != 0 {
      write(PendingRecord(.timerEnded, id.rawValue, reason.rawValue), thread, about: slot)
    }
    slab.lock.withLock { slab.free(slot) }
  }
}
