import CReactiveTraceShims
import TracePlatform

/// The lifetimes of signals and subscriptions, terminal and refused events, and automatic marks.
///
/// Every method requires that the thread has called ``Recorder/enter()``, and uses its cached time.
extension Recorder {
  // MARK: Signals

  func signalCreated(
    _ thread: ThreadState,
    site: UInt32,
    upstream: TraceID,
    others: [TraceID],
    argument: SignalArgument,
    passesOn: Bool,
    from frame: UInt
  ) -> TraceID {
    let argument = number(of: argument)
    let contents = Slab.Contents(
      kind: .signal,
      state: .created,
      scheduler: argument,
      site: site,
      link: upstream,
      createdAt: thread.pointee.time
    )
    let (id, earlier) = slab.lock.withLock {
      let id = slab.allocate(contents, furtherUpstreams: others)
      // A signal without a slot is counted as lost rather than as live, because its release would
      // not be noticed.
      if id == .none { return (id, UInt64(0)) }
      if passesOn { slab.stages.setPassesOn(slab.index(id)) }
      return (id, sites.countCreated(site))
    }
    guard id != .none else { return .none }
    let slot = slab.slot(id)
    let serial = Layout.Slot.serial.relaxed(at: slot)
    let word = Packing.word(site: site, argument: argument)
    if !(word.map { writeShort(thread, id, slot, serial, $0, upstream) } ?? false) {
      var record = PendingRecord(.signalCreated, id.rawValue, site)
      record.continuations = 1
      record.more.0 = Packing.pair(high: argument, low: upstream.rawValue)
      record.more.1 = serial
      write(record, thread, about: slot, isCreation: true)
    }
    if callerLimit > 0, earlier < Self.firstCallers || earlier & (earlier &+ 1) == 0 {
      signalMade(thread, id, slot, from: frame)
    }
    return id
  }

  /// Writes the record of a new signal in its short form; returns false if that is not possible.
  @inline(__always)
  private func writeShort(
    _ thread: ThreadState,
    _ id: TraceID,
    _ slot: UnsafeMutableRawPointer,
    _ serial: UInt64,
    _ word: UInt32,
    _ upstream: TraceID
  ) -> Bool {
    guard var place = ownRun(thread), hasRoom(place, thread),
      place.implies(serial, slotBits: slab.slotBits),
      upstream == .none || place.lastSignal == upstream
    else { return false }
    noteStatus(slot, thread)
    let kind: ShortRecordKind = upstream == .none ? .sourceCreated : .signalAppended
    place.append(PendingRecord(kind, id.rawValue, word), at: thread.pointee.time)
    finish(place, thread)
    return true
  }

  /// How many of the first signals of a site have their callers recorded.
  ///
  /// The caller of a later signal is recorded only if its number at the site is a power of two.
  private static var firstCallers: UInt64 { 16 }

  /// Records the caller of the operator that made a signal.
  ///
  /// No other thread may know the signal yet.
  @inline(never)
  private func signalMade(
    _ thread: ThreadState,
    _ id: TraceID,
    _ slot: UnsafeMutableRawPointer,
    from frame: UInt
  ) {
    let chain = chainOfItsOwn(
      thread,
      from: frame,
      limit: callerLimit,
      scheduler: thread.pointee.scheduler_id
    )
    guard chain != 0 else { return }
    Layout.Slot.owner.setRelaxed(Packing.made(in: chain, isOutlived: false), at: slot)
    write(PendingRecord(.signalMade, id.rawValue, chain), thread, about: slot)
  }

  func signalNamed(_ thread: ThreadState, _ id: TraceID, _ name: String) {
    let number = tables.withLock { strings.intern(name, limit: 128) }
    guard let slot = slab.liveSlot(id, .signal) else { return }
    Layout.Slot.signal.setRelaxed(number, at: slot)
    guard thread.pointee.level != 0 else { return }
    write(PendingRecord(.signalNamed, id.rawValue, number), thread, about: slot)
  }

  /// Notes that the program no longer refers to a signal.
  ///
  /// In the trace, the signal is released only when its last subscription has ended: a subscription
  /// does not hold its signal, but the trace has to show which signal a subscription belongs to.
  func signalReleased(_ thread: ThreadState, _ id: TraceID) {
    guard let slot = slab.liveSlot(id, .signal) else { return }
    // If it has no subscription now, it is released, and a subscription that begins later, such as
    // the execution of a command, finds no signal.
    if Layout.Slot.depth.relaxed(at: slot) != 0, isOutlived(slot) { return }
    releaseSignal(thread, id, slot)
  }

  @inline(never)
  private func isOutlived(_ signal: UnsafeMutableRawPointer) -> Bool {
    slab.lock.withLock {
      if Layout.Slot.depth.relaxed(at: signal) == 0 { return false }
      let chain = Packing.chain(ofMade: Layout.Slot.owner.relaxed(at: signal))
      Layout.Slot.owner.setRelaxed(Packing.made(in: chain, isOutlived: true), at: signal)
      return true
    }
  }

  /// Releases a signal to which neither the program nor a subscription refers any more.
  func releaseSignal(_ thread: ThreadState, _ id: TraceID, _ slot: UnsafeMutableRawPointer) {
    if thread.pointee.level != 0 {
      write(PendingRecord(.signalReleased, id.rawValue), thread, about: slot)
    }
    slab.lock.withLock {
      sites.countSignalReleased(Layout.Slot.site.relaxed(at: slot))
      slab.free(slot)
    }
  }

  // MARK: Subscriptions

  func disposeRequested(_ thread: ThreadState, _ id: TraceID) {
    let slot = slab.lock.withLock { () -> UnsafeMutableRawPointer? in
      guard let slot = slab.liveSlot(id, .subscription),
        slab.state(at: slot) == EntityState.active.rawValue
      else { return nil }
      slab.setState(.disposing, at: slot)
      return slot
    }
    guard let slot, thread.pointee.level != 0 else { return }
    write(PendingRecord(.disposeRequested, id.rawValue), thread, about: slot)
  }

  /// Counts a subscription that has begun.
  ///
  /// Requires the slab's lock.
  @inline(__always)
  func oneSubscriptionMore(_ signal: UnsafeMutableRawPointer, at time: UInt64) {
    typealias Slot = Layout.Slot
    Slot.eventCount.setRelaxed(Slot.eventCount.relaxed(at: signal) &+ 1, at: signal)
    Slot.depth.setRelaxed(Slot.depth.relaxed(at: signal) &+ 1, at: signal)
    Slot.lastEventAt.setRelaxed(time, at: signal)
    slab.setState(.active, at: signal)
  }

  /// Counts a subscription that has ended, and returns whether it was the last one of a signal to
  /// which the program no longer refers.
  ///
  /// Requires the slab's lock.
  @inline(__always)
  func oneSubscriptionLess(_ signal: UnsafeMutableRawPointer) -> Bool {
    let depth = Layout.Slot.depth.relaxed(at: signal)
    guard depth > 0 else { return false }
    Layout.Slot.depth.setRelaxed(depth - 1, at: signal)
    guard depth == 1 else { return false }
    slab.setState(.inactive, at: signal)
    return Layout.Slot.owner.relaxed(at: signal) & 1 != 0
  }

  func disposableReleased(_ thread: ThreadState, _ id: TraceID) {
    guard let slot = slab.liveSlot(id, .subscription) else { return }
    Layout.Site.disposablesReleased.add(1, at: sites.row(Layout.Slot.site.relaxed(at: slot)))
    guard thread.pointee.level != 0 else { return }
    write(PendingRecord(.disposableReleased, id.rawValue), thread, about: slot)
  }

  // MARK: Events

  /// Records a terminal event.
  func terminal(_ thread: ThreadState, _ kind: RecordKind, _ id: TraceID, argument: UInt32) {
    guard let slot = slab.liveSlot(id) else { return }
    Layout.Slot.lastEventAt.setRelaxed(thread.pointee.time, at: slot)
    thread.pointee.delivered = 1
    write(PendingRecord(kind, id.rawValue, argument), thread, about: slot)
  }

  func refused(_ thread: ThreadState, _ id: TraceID, _ event: RefusedEvent) {
    guard let slot = slab.liveSlot(id, .subscription) else { return }
    Layout.Site.refused.add(1, at: sites.row(Layout.Slot.site.relaxed(at: slot)))
    guard thread.pointee.level != 0 else { return }
    write(PendingRecord(.refused, id.rawValue, event.rawValue), thread, about: slot)
  }

  // MARK: Marks

  /// Sets an automatic mark if one is due.
  ///
  /// Costs one relaxed load if none is due.
  @inline(__always)
  func markIfDue(_ thread: ThreadState) {
    if marks.mayBeDue(thread.pointee.time) { addAutomaticMark() }
  }

  @inline(never)
  private func addAutomaticMark() {
    guard tables.withLock({ marks.takeDue() }) else { return }
    // The memory use is read without a lock, because that may take long. The time is read with the
    // lock held, so that the times of marks never decrease.
    let memory = memory.read(.automatic)
    tables.withLock { _ = marks.add(name: 0, .automatic, memory, at: clock.now) }
  }
}
