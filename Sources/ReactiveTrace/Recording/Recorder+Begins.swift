import CReactiveTraceShims
import TracePlatform

/// Records that subscriptions begin.
///
/// The calling thread must have called ``Recorder/enter()`` and updated its cached time.
///
/// A *stage* is the subscription to one signal of a chain of operators. A *scope* identifies the
/// stages that end together.
extension Recorder {
  /// Records that the function whose frame is `frame` subscribes to a signal at `site`.
  @inline(__always)
  func subscribed(
    _ thread: ThreadState,
    site: UInt32,
    signal: TraceID,
    downstream: TraceID,
    scope: UInt = 0,
    from frame: UInt = 0
  ) -> TraceID {
    let chain = chainOfNew(thread, downstream, from: frame)
    slab.lock.lock()
    let id = begin(
      thread,
      site,
      signal,
      sites.isRoot(site) ? nil : slab.liveSlot(signal, .signal),
      downstream,
      next: .none,
      chain,
      scope
    )
    slab.lock.unlock()
    guard id != .none else { return .none }
    noteBegun(thread, id, chain)
    if var place = ownRun(thread), hasRoom(place, thread) {
      var isInBatch = false
      append(id, thread, to: &place, &isInBatch)
      finish(place, thread)
    } else {
      writeSubscribed(thread, id)
    }
    return id
  }

  /// Begins a stage, together with the stages upstream of it that the library will request next.
  ///
  /// Each stage has the site of its signal, and is linked to the stage downstream, which ends after
  /// it.
  ///
  /// The recorder keeps the stages for the calling thread, in the order in which the thread will
  /// request them, and returns the first and the last. If the program itself subscribes, `root` is
  /// the site of its subscription, which is then the first stage.
  @inline(__always)
  func stagesBegan(
    _ thread: ThreadState,
    root: UInt32? = nil,
    signal: TraceID,
    downstream: TraceID,
    scope: UInt,
    from frame: UInt
  ) -> TraceStages {
    if thread.pointee.ready_next != thread.pointee.ready_count { dropReady(thread) }
    let chain = chainOfNew(thread, downstream, from: frame)
    let ready = rxt_ready(thread)
    let signals = rxt_ready_signals(thread)
    var count = 0
    var below = downstream
    var next = signal
    slab.lock.lock()
    if let root {
      below = begin(thread, root, signal, nil, .none, next: .none, chain, scope)
      ready[0] = below.rawValue
      // The root is returned at once, so it is never requested.
      signals[0] = 0
      if below == .none { next = .none } else { count = 1 }
    }
    while count < Int(RXT_READY_LIMIT), let slot = slab.liveSlot(next, .signal) {
      let site = Layout.Slot.site.relaxed(at: slot)
      let id = begin(thread, site, next, slot, below, next: below, chain, scope)
      if id == .none { break }
      ready[count] = id.rawValue
      signals[count] = next.rawValue
      count &+= 1
      guard slab.stages.passesOn(slab.index(next)) else { break }
      below = id
      next = TraceID(rawValue: Layout.Slot.link.relaxed(at: slot))
    }
    slab.lock.unlock()
    thread.pointee.ready_count = UInt32(truncatingIfNeeded: count)
    thread.pointee.ready_next = count == 0 ? 0 : 1
    if count == 0 { return TraceStages() }
    let stages = TraceStages(
      first: TraceID(rawValue: ready[0]),
      last: TraceID(rawValue: ready[count &- 1]),
      next: downstream
    )
    noteBegun(thread, stages.last, chain)
    writeReady(thread, ready, count)
    return stages
  }

  /// Releases the stages that have begun but will not be requested.
  ///
  /// The closures of a requested stage release it; these stages have none.
  @inline(never)
  func dropReady(_ thread: ThreadState) {
    let ready = rxt_ready(thread)
    var index = Int(thread.pointee.ready_next)
    while index < Int(thread.pointee.ready_count) {
      release(thread, TraceID(rawValue: ready[index]))
      index += 1
    }
    thread.pointee.ready_next = thread.pointee.ready_count
  }

  // MARK: With the slab's lock held

  // `signalSlot` is where the signal counts its subscriptions. It is nil if the signal has no slot,
  // and for a root subscription: the stage that begins together with it is counted instead.
  @inline(__always)
  private func begin(
    _ thread: ThreadState,
    _ site: UInt32,
    _ signal: TraceID,
    _ signalSlot: UnsafeMutableRawPointer?,
    _ downstream: TraceID,
    next: TraceID,
    _ chain: UInt32,
    _ scope: UInt
  ) -> TraceID {
    let time = thread.pointee.time
    let contents = Slab.Contents(
      kind: .subscription,
      state: .active,
      scheduler: thread.pointee.scheduler_id,
      site: site,
      signal: signal.rawValue,
      link: downstream,
      chain: chain,
      createdAt: time,
      next: next,
      scope: scope
    )
    let id = slab.allocate(contents)
    if id == .none { return id }
    if let signalSlot { oneSubscriptionMore(signalSlot, at: time) }
    sites.countSubscribed(site)
    return id
  }

  // MARK: Backtraces

  /// The asynchronous backtrace of a new subscription by the function whose frame is `frame`.
  @inline(__always)
  private func chainOfNew(
    _ thread: ThreadState,
    _ downstream: TraceID,
    from frame: UInt
  ) -> UInt32 {
    // The subscription downstream began in the same call, so it has the same chain.
    if downstream.rawValue == thread.pointee.begun, downstream != .none,
      thread.pointee.begun_at == thread.pointee.time
    {
      return thread.pointee.begun_chain
    }
    return callerLimit > 0 && downstream == .none
      ? self.chain(
        thread,
        from: frame,
        limit: callerLimit,
        scheduler: thread.pointee.scheduler_id
      ) : chainNow(thread)
  }

  @inline(__always)
  private func noteBegun(_ thread: ThreadState, _ id: TraceID, _ chain: UInt32) {
    thread.pointee.begun = id.rawValue
    thread.pointee.begun_chain = chain
    thread.pointee.begun_at = thread.pointee.time
  }

  // MARK: Records

  @inline(__always)
  private func writeReady(
    _ thread: ThreadState,
    _ ready: UnsafeMutablePointer<UInt32>,
    _ count: Int
  ) {
    var index = 0
    if var place = ownRun(thread) {
      var isInBatch = false
      while index < count, hasRoom(place, thread) {
        append(TraceID(rawValue: ready[index]), thread, to: &place, &isInBatch)
        index &+= 1
      }
      finish(place, thread)
    }
    while index < count {
      writeSubscribed(thread, TraceID(rawValue: ready[index]))
      index &+= 1
    }
  }

  /// Appends the record of a new subscription at a cursor, without the checks of `write`.
  ///
  /// Reads everything from the slot, which no other thread can have changed yet.
  ///
  /// - Parameters:
  ///   - id: The subscription.
  ///   - thread: The calling thread.
  ///   - place: Where the record is written.
  ///   - isInBatch: Whether the preceding record is part of a batch (one record for several
  ///     subscriptions) that this subscription can continue; receives whether the next subscription
  ///     can continue a batch.
  @inline(__always)
  private func append(
    _ id: TraceID,
    _ thread: ThreadState,
    to place: inout RecordCursor,
    _ isInBatch: inout Bool
  ) {
    let slot = slab.slot(id)
    noteStatus(slot, thread)
    let site = Layout.Slot.site.relaxed(at: slot)
    let scheduler = thread.pointee.scheduler_id
    if place.implies(Layout.Slot.serial.relaxed(at: slot), slotBits: slab.slotBits),
      scheduler <= UInt16.max
    {
      let signal = Layout.Slot.signal.relaxed(at: slot)
      if isInBatch {
        place.appendContinuation(UInt64(signal), Packing.pair(high: site, low: id.rawValue))
        return
      }
      isInBatch = true
      place.append(PendingRecord(.stagesSubscribed, id.rawValue, site), at: thread.pointee.time)
      place.appendContinuation(
        Packing.pair(high: scheduler, low: Layout.Slot.link.relaxed(at: slot)),
        Packing.pair(high: Layout.Slot.chain.relaxed(at: slot), low: signal)
      )
      return
    }
    isInBatch = false
    place.append(PendingRecord(.subscribed, id.rawValue, site), at: thread.pointee.time)
    let more = continuations(slot, thread)
    place.appendContinuation(more.0, more.1)
    place.appendContinuation(more.2, more.3)
  }

  @inline(never)
  private func writeSubscribed(_ thread: ThreadState, _ id: TraceID) {
    let slot = slab.slot(id)
    var record = PendingRecord(.subscribed, id.rawValue, Layout.Slot.site.relaxed(at: slot))
    record.continuations = 2
    (record.more.0, record.more.1, record.more.2, record.more.3) = continuations(slot, thread)
    write(record, thread, about: slot, isCreation: true)
  }

  @inline(__always)
  private func continuations(
    _ slot: UnsafeMutableRawPointer,
    _ thread: ThreadState
  ) -> (UInt64, UInt64, UInt64, UInt64) {
    (
      UInt64(Layout.Slot.link.relaxed(at: slot)), Layout.Slot.serial.relaxed(at: slot),
      UInt64(Layout.Slot.signal.relaxed(at: slot)),
      Packing.pair(high: thread.pointee.scheduler_id, low: Layout.Slot.chain.relaxed(at: slot))
    )
  }
}
