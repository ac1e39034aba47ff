public import CReactiveTraceShims
public import TracePlatform

/// The path of an event. It is inlined into the traced library down to the last store.
extension Tracer {
  /// Records that a value passes through a subscription.
  ///
  /// The record gets the thread's cached time.
  @inlinable @inline(__always)
  public static func next(_ subscription: TraceID) {
    guard subscription != .none else { return }
    nextOfTraced(subscription)
  }

  /// Does the same as ``next(_:)`` for a subscription that is known to be traced, which must not be
  /// ``/TraceFormat/TraceID/none``.
  @inlinable @inline(__always)
  public static func nextOfTraced(_ subscription: TraceID) {
    let thread = rxt_thread_state()
    if rxt_load_relaxed_u32(thread.pointee.control) == thread.pointee.seen {
      count(subscription, thread)
    } else {
      nextAfterChange(subscription)
    }
  }

  /// Handles a value if the control word, which says whether and how all threads record, differs
  /// from the one that the thread has acted on.
  ///
  /// This is a tail call, so that the usual case keeps nothing on the stack.
  @usableFromInline @inline(never)
  static func nextAfterChange(_ subscription: TraceID) {
    let thread = rxt_thread_state()
    controlChanged(thread)
    if thread.pointee.slab == nil, thread.pointee.busy == 1 {
      nextOfHandler(subscription, thread)
    } else {
      count(subscription, thread)
    }
  }

  /// Handles a value sent by a signal handler that has interrupted the first call of its thread, or
  /// a call that adopts another level, so that the thread does not know the slab yet.
  private static func nextOfHandler(
    _ subscription: TraceID,
    _ thread: UnsafeMutablePointer<rxt_thread>
  ) {
    guard let recorder = Recorder.current else { return }
    let whole = ControlWord.level(recorder.pointee.control)
    guard whole != 0, let slot = recorder.pointee.slab.liveSlot(subscription) else { return }
    let count = Layout.Slot.eventCount.relaxed(at: slot) &+ 1
    Layout.Slot.eventCount.setRelaxed(count, at: slot)
    if recorder.pointee.level(atPlaceOf: slot, else: whole) >= TraceLevel.events.rawValue {
      recorder.pointee.countDropped(thread)
    }
  }

  /// Counts a value, and records it at level `events`.
  @inlinable @inline(__always)
  static func count(_ subscription: TraceID, _ thread: UnsafeMutablePointer<rxt_thread>) {
    guard let slab = thread.pointee.slab else { return }
    let index = Int(subscription.rawValue & thread.pointee.slot_mask)
    let slot = UnsafeMutableRawPointer(slab) + index &* Layout.Slot.byteCount
    // The events of one subscription are serial, so no other thread changes its count at the same
    // time.
    let count = Layout.Slot.eventCount.relaxed(at: slot) &+ 1
    Layout.Slot.eventCount.setRelaxed(count, at: slot)
    Layout.Slot.lastEventAt.setRelaxed(thread.pointee.time, at: slot)
    thread.pointee.delivered = 1
    guard thread.pointee.level >= TraceLevel.events.rawValue else { return }

    let sequence = UInt32(truncatingIfNeeded: count)
    if !append(.next, subscription, sequence, about: slot, thread) {
      nextSlowly(subscription, sequence)
    }
  }

  /// Writes the record of an event in the usual case; returns false if the caller has to enter the
  /// recorder.
  ///
  /// That is necessary if the record needs a new segment or a status before it, if it depends on
  /// the level of its place, or if the call comes from a signal handler that has interrupted the
  /// recorder.
  @inlinable @inline(__always)
  static func append(
    _ kind: RecordKind,
    _ entity: TraceID,
    _ argument: UInt32,
    about slot: UnsafeMutableRawPointer,
    _ thread: UnsafeMutablePointer<rxt_thread>
  ) -> Bool {
    // While `busy` is set, the records of a signal handler that interrupts this thread are dropped
    // and counted. If this call itself comes from such a handler, the thread is already busy.
    guard thread.pointee.busy == 0 else { return false }
    thread.pointee.busy = 1
    rxt_fence_signal()
    // The segment is read first, because a signal handler may fork, and the child that returns from
    // it no longer has a segment.
    let segment = unsafeBitCast(thread.pointee.segment, to: UInt.self)
    rxt_fence_signal()
    // The pointers are compared as words: `cursor` and `end` are both 0 if the thread has no
    // segment. Otherwise none of `cursor`, `end` and `segment` is 0.
    let place = unsafeBitCast(thread.pointee.cursor, to: UInt.self)
    guard place != unsafeBitCast(thread.pointee.end, to: UInt.self),
      Layout.Slot.statusGeneration.relaxed(at: slot) == thread.pointee.event_generation
    else {
      thread.pointee.busy = 0
      return false
    }
    let record = UnsafeMutableRawPointer(bitPattern: place).unsafelyUnwrapped
    rxt_fence_signal()
    Layout.Record.head.setRelaxed(
      Packing.head(delta: thread.pointee.time &- thread.pointee.base, kind: kind.rawValue),
      at: record
    )
    Layout.Record.body.setRelaxed(Packing.pair(high: argument, low: entity.rawValue), at: record)
    let end = place &+ UInt(Layout.Record.byteCount)
    thread.pointee.cursor = UnsafeMutablePointer(bitPattern: end)
    // Publishes the record to a reader that loads `committed`.
    Layout.Segment.committed.setRelease(
      UInt32(truncatingIfNeeded: end &- segment),
      at: UnsafeMutableRawPointer(bitPattern: segment).unsafelyUnwrapped
    )
    rxt_fence_signal()
    thread.pointee.busy = 0
    return true
  }

  /// Handles the thread's first call, another level, a new generation, or a stop.
  private static func controlChanged(_ thread: UnsafeMutablePointer<rxt_thread>) {
    // A value sent by a signal handler that has interrupted the recorder is not handled here, but
    // counted as dropped where it would be recorded.
    guard thread.pointee.busy == 0 else { return }
    guard let (_, thread) = Recorder.enter() else {
      // After a fork, the control word of the parent cannot be reached.
      if thread.pointee.busy == 0 {
        thread.pointee.seen = rxt_load_relaxed_u32(thread.pointee.control)
        thread.pointee.level = 0
        thread.pointee.slab = nil
      }
      return
    }
    Recorder.leave(thread)
  }

  /// Handles a value whose record needs a new segment or a status before it, or depends on the
  /// level of its place.
  @usableFromInline @inline(never)
  static func nextSlowly(_ subscription: TraceID, _ sequence: UInt32) {
    guard let (recorder, thread) = Recorder.enter() else { return }
    recorder.pointee.write(
      PendingRecord(.next, subscription.rawValue, sequence),
      thread,
      about: recorder.pointee.slab.liveSlot(subscription),
      isEvent: true
    )
    Recorder.leave(thread)
  }

  /// Records that a failure passes through a subscription; of the error, only the name of its type
  /// is recorded.
  public static func failed(_ subscription: TraceID, _ type: any Any.Type) {
    guard let (recorder, thread) = enter(subscription) else { return }
    defer { Recorder.leave(thread) }
    let name = _typeName(type)
    let number = recorder.pointee.tables.withLock { recorder.pointee.strings.intern(name) }
    recorder.pointee.terminal(thread, .failed, subscription, argument: number)
  }

  /// Records that a completion passes through a subscription.
  public static func completed(_ subscription: TraceID) {
    guard let (recorder, thread) = enter(subscription) else { return }
    defer { Recorder.leave(thread) }
    recorder.pointee.terminal(thread, .completed, subscription, argument: 0)
  }

  /// Records that an event came after the end of a subscription and was dropped.
  public static func refused(_ subscription: TraceID, _ event: RefusedEvent) {
    guard let (recorder, thread) = enter(subscription) else { return }
    defer { Recorder.leave(thread) }
    // The clock is read, because often this is the first recorded call of the thread in a long
    // time.
    recorder.pointee.tick(thread)
    recorder.pointee.refused(thread, subscription, event)
  }

  /// Records how many values a subscription holds now, or how many events wait at its gate, which
  /// lets one thread at a time deliver events.
  ///
  /// The number is recorded when it reaches a new power of two, and when it falls to zero. For a
  /// signal (a subject whose gate is taken), it is recorded whenever it is a power of two: the slot
  /// of a signal cannot hold the last number for comparison, because that field counts its
  /// subscriptions.
  public static func depth(_ subscription: TraceID, _ held: Int) {
    guard let (recorder, thread) = enter(subscription) else { return }
    defer { Recorder.leave(thread) }
    guard let slot = recorder.pointee.slab.liveSlot(subscription) else { return }
    let new = UInt32(clamping: held)
    let isSignal =
      Packing.kind(ofState: Layout.Slot.state.relaxed(at: slot)) == EntityKind.signal.rawValue
    let old = Layout.Slot.depth.relaxed(at: slot)
    if !isSignal { Layout.Slot.depth.setRelaxed(new, at: slot) }
    let isNews =
      isSignal
      ? new.nonzeroBitCount == 1
      : new == 0 ? old != 0 : new.leadingZeroBitCount < old.leadingZeroBitCount
    guard isNews, thread.pointee.level >= TraceLevel.events.rawValue else { return }
    // A thread that sends to a taken gate delivers nothing itself, so it may not have read the
    // clock for a long time.
    if isSignal { recorder.pointee.tick(thread) }
    recorder.pointee.write(
      PendingRecord(.depth, subscription.rawValue, new),
      thread,
      about: slot,
      isEvent: true
    )
  }

  // MARK: Time

  /// Reads the clock into the thread's cached time.
  @inlinable @inline(__always)
  public static func tick() {
    let thread = rxt_thread_state()
    // A thread that is not registered with the recorder reads the clock when it registers.
    guard thread.pointee.level != 0 else { return }
    let now = rxt_ticks(thread.pointee.counts_cycles)
    let known = thread.pointee.time
    guard now > known else { return }
    rxt_advance_time(thread, known, now)
    if now >= thread.pointee.time_limit { limitReached() }
  }

  /// To be called if the segment is too old for another record, or if an inspector's temporary
  /// request for a higher level has expired.
  @usableFromInline @inline(never)
  static func limitReached() {
    guard let (recorder, thread) = Recorder.enter() else { return }
    recorder.pointee.limitReached(thread)
    Recorder.leave(thread)
  }

  /// Records that a delivery through a gate begins; reads the clock.
  @inlinable @inline(__always)
  public static func turnBegan(_ entity: TraceID) {
    tick()
    guard entity != .none else { return }
    let thread = rxt_thread_state()
    // Code outside of scheduled work may be on the main queue, which is recorded before the turn.
    if thread.pointee.scheduler_id == 0, thread.pointee.is_main != 1 {
      if mayRecordTurns(thread) { turn(.turnBegan, entity) }
    } else if !appendTurn(.turnBegan, entity, thread.pointee.thread_id, thread) {
      turn(.turnBegan, entity)
    }
  }

  /// Records that the delivery has returned; reads the clock if the level is at least `events`.
  @inlinable @inline(__always)
  public static func turnEnded(_ entity: TraceID) {
    guard entity != .none else { return }
    let thread = rxt_thread_state()
    if thread.pointee.level >= TraceLevel.events.rawValue { tick() }
    if !appendTurn(.turnEnded, entity, 0, thread) { turn(.turnEnded, entity) }
  }

  /// Whether the thread may have to record a delivery: level `graph` records none.
  @inlinable @inline(__always)
  static func mayRecordTurns(_ thread: UnsafeMutablePointer<rxt_thread>) -> Bool {
    thread.pointee.level >= TraceLevel.events.rawValue
      || rxt_load_relaxed_u32(thread.pointee.control) != thread.pointee.seen
  }

  /// Records the beginning or the end of a delivery if nothing else has to be recorded before it,
  /// or if deliveries are not recorded; returns false if the caller has to enter the recorder.
  @inlinable @inline(__always)
  static func appendTurn(
    _ kind: RecordKind,
    _ entity: TraceID,
    _ argument: UInt32,
    _ thread: UnsafeMutablePointer<rxt_thread>
  ) -> Bool {
    guard rxt_load_relaxed_u32(thread.pointee.control) == thread.pointee.seen else { return false }
    guard thread.pointee.level >= TraceLevel.events.rawValue else { return true }
    // A record that was dropped has to be reported first, and a segment that is too old, or a lease
    // that has expired, has to be given up.
    guard let slab = thread.pointee.slab, thread.pointee.dropped == 0,
      thread.pointee.time < thread.pointee.time_limit
    else { return false }
    let index = Int(entity.rawValue & thread.pointee.slot_mask)
    let slot = UnsafeMutableRawPointer(slab) + index &* Layout.Slot.byteCount
    return append(kind, entity, argument, about: slot, thread)
  }

  /// Records the beginning or the end of a delivery in the general case.
  @usableFromInline @inline(never)
  static func turn(_ kind: RecordKind, _ entity: TraceID) {
    guard let (recorder, thread) = enter(entity) else { return }
    defer { Recorder.leave(thread) }
    guard thread.pointee.level >= TraceLevel.events.rawValue else { return }
    if kind == .turnEnded { recorder.pointee.tick(thread) }
    if kind == .turnBegan { recorder.pointee.recordPlace(thread) }
    let argument = kind == .turnBegan ? thread.pointee.thread_id : 0
    recorder.pointee.write(
      PendingRecord(kind, entity.rawValue, argument),
      thread,
      about: recorder.pointee.slab.liveSlot(entity),
      isEvent: true
    )
  }

  /// Enters the recorder for an event of a traced entity; nil while nothing is recorded.
  @inline(__always)
  private static func enter(
    _ id: TraceID
  ) -> (recorder: UnsafePointer<Recorder>, thread: ThreadState)? {
    guard id != .none, let (recorder, thread) = Recorder.enter() else { return nil }
    guard thread.pointee.level != 0 else {
      Recorder.leave(thread)
      return nil
    }
    return (recorder, thread)
  }
}

/// Identifies scheduled work in the trace.
public struct TraceHop: Sendable {
  /// Unique in the process, modulo 2³²; 0 if it is not traced.
  public var id: UInt32 = 0
  /// The asynchronous backtrace of the work.
  public var chain: UInt32 = 0
  /// Row in the scheduler table.
  public var scheduler: UInt32 = 0

  /// Work that is not traced.
  public init() {}

  /// What the thread was doing before the work began.
  public struct Outer: Sendable {
    /// The asynchronous backtrace.
    var chain = rxt_outer_chain()
    /// Row in the scheduler table.
    public var scheduler: UInt32 = 0

    /// The state of a thread outside of scheduled work.
    public init() {}
  }
}
