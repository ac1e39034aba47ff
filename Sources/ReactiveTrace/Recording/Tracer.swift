public import CReactiveTraceShims

/// What a traced library tells the recorder.
///
/// For authors of libraries; programs use ``Trace``. Nothing here blocks for long, throws, or fails:
/// where there is no room, the record is dropped and counted. Every function does nothing for
/// ``TraceID/none``, and every one may be called from any thread.
public enum Tracer {
  /// Whether anything is being recorded: one relaxed load, except for the first call in a process, which
  /// looks at `RXTRACE`.
  @inlinable @inline(__always)
  public static var isOn: Bool {
    let flag = rxt_load_relaxed_u32(rxt_recording_flag())
    return flag != 0 && (flag == 1 || startsFromEnvironment())
  }

  /// Whether subscriptions are to be looked at: where something is recorded, or `RXLOG` names signals.
  @inlinable @inline(__always)
  public static var isProbing: Bool {
    let flag = rxt_load_relaxed_u32(rxt_recording_flag())
    return flag != 0 && (flag == 1 || probesFromEnvironment())
  }

  @usableFromInline @inline(never)
  static func probesFromEnvironment() -> Bool {
    Trace.startFromEnvironment()
    return rxt_load_relaxed_u32(rxt_recording_flag()) != 0
  }

  /// Which signals are to be logged: the environment's `RXLOG`; nil if it is not set.
  public static var logPattern: String? { LogPattern.text }

  /// Whether there are any.
  public static var isLogging: Bool { LogPattern.isSet }

  /// Looks at the environment and answers ``isOn`` for good.
  @usableFromInline @inline(never)
  static func startsFromEnvironment() -> Bool {
    Trace.startFromEnvironment()
    return rxt_load_relaxed_u32(rxt_recording_flag()) == 1
  }

  // MARK: Signals

  /// The number of a site, made at its first use.
  ///
  /// - Returns: 0 while nothing is recorded, and where there is no room for another site.
  public static func site(
    _ name: StaticString,
    traits: SiteTraits,
    file: StaticString,
    line: UInt32,
    column: UInt32
  ) -> UInt32 {
    guard isOn, let (recorder, thread) = Recorder.enter() else { return 0 }
    defer { Recorder.leave(thread) }
    let key = SiteKey(name: name, file: file, line: line, column: column)
    let known = recorder.pointee.sites.find(key)
    guard known == 0 else { return known }
    return recorder.pointee.tables.withLock {
      recorder.pointee.sites.intern(key, traits: traits)
    }
  }

  /// A signal was made by an operator on `upstreams`.
  public static func signalCreated(site: UInt32, upstreams: [TraceID]) -> TraceID {
    guard isOn, let (recorder, thread) = Recorder.enter() else { return .none }
    defer { Recorder.leave(thread) }
    guard thread.pointee.level != 0 else { return .none }
    recorder.pointee.tick(thread)
    return recorder.pointee.signalCreated(thread, site: site, upstreams: upstreams)
  }

  /// The program gave a signal a name; at most 128 bytes of it are recorded.
  public static func signalNamed(_ signal: TraceID, _ name: String) {
    record(signal) { $0.pointee.signalNamed($1, signal, name) }
  }

  /// The last reference to a signal is gone.
  public static func signalReleased(_ signal: TraceID) {
    record(signal, postponed: PostponedEnds.released) { $0.pointee.signalReleased($1, signal) }
  }

  // MARK: Subscriptions

  /// A subscription of `signal` begins, whose events go to `downstream`.
  @inline(never)
  public static func subscribed(site: UInt32, signal: TraceID, downstream: TraceID) -> TraceID {
    begin(site, signal, downstream, from: rxt_frame_address())
  }

  /// A subscription of `signal` begins at the site where that was made.
  ///
  /// - Parameters:
  ///   - signal: A traced signal that the caller holds.
  ///   - downstream: Where its events go.
  /// - Returns: What to pass when something happens to it.
  @inline(never)
  public static func subscribed(signal: TraceID, downstream: TraceID) -> TraceID {
    guard signal != .none else { return .none }
    return begin(nil, signal, downstream, from: rxt_frame_address())
  }

  @inline(__always)
  private static func begin(
    _ site: UInt32?,
    _ signal: TraceID,
    _ downstream: TraceID,
    from frame: UInt
  ) -> TraceID {
    guard isOn, let (recorder, thread) = Recorder.enter() else { return .none }
    defer { Recorder.leave(thread) }
    guard thread.pointee.level != 0 else { return .none }
    // What is made for another subscription is made with it, or in a delivery whose time has been read.
    if downstream == .none || thread.pointee.time == 0 {
      recorder.pointee.tick(thread)
      recorder.pointee.markIfDue(thread)
    }
    var chain = recorder.pointee.chainNow(thread)
    if recorder.pointee.capturesAll, downstream == .none {
      chain = recorder.pointee.chain(thread, from: frame, scheduler: thread.pointee.scheduler_id)
    }
    return recorder.pointee.subscribed(
      thread,
      site: site,
      signal: signal,
      downstream: downstream,
      chain: chain
    )
  }

  /// Somebody called `dispose`.
  public static func disposeRequested(_ subscription: TraceID) {
    record(subscription) { $0.pointee.disposeRequested($1, subscription) }
  }

  /// The subscription is over and its upstream torn down.
  public static func ended(_ subscription: TraceID, _ reason: EndReason) {
    let note = PostponedEnds.ended | reason.rawValue << PostponedEnds.reasonShift
    // Who cancels has read the time: it does so in a delivery, in work, or in `disposeRequested`.
    record(subscription, postponed: note, ticks: reason != .cancelled) {
      $0.pointee.markIfDue($1)
      $0.pointee.ended($1, subscription, reason)
    }
  }

  /// Its closures and buffers have been freed: the slot may be reused.
  public static func subscriptionReleased(_ subscription: TraceID) {
    // Follows the end on the same thread in most cases, so its time is fresh enough.
    record(subscription, postponed: PostponedEnds.released, ticks: false) {
      $0.pointee.subscriptionReleased($1, subscription)
    }
  }

  /// The disposable handed to the program is gone while the subscription lives.
  public static func disposableReleased(_ subscription: TraceID) {
    record(subscription) { $0.pointee.disposableReleased($1, subscription) }
  }

  // MARK: Owners

  /// An object that ends subscriptions when it ends itself has got its first one.
  public static func ownerCreated(site: UInt32) -> TraceID {
    guard isOn, let (recorder, thread) = Recorder.enter() else { return .none }
    defer { Recorder.leave(thread) }
    guard thread.pointee.level != 0 else { return .none }
    recorder.pointee.tick(thread)
    return recorder.pointee.ownerCreated(thread, site: site)
  }

  /// The owner will end the subscription, if that has not ended before.
  public static func ownerBound(_ subscription: TraceID, _ owner: TraceID) {
    guard owner != .none else { return }
    record(subscription) { $0.pointee.ownerBound($1, subscription, owner) }
  }

  /// The owner has ended what it still held, and takes no more.
  public static func ownerEnded(_ owner: TraceID) {
    record(owner, postponed: PostponedEnds.released) { $0.pointee.ownerEnded($1, owner) }
  }

  // MARK: Schedulers

  /// Adds a scheduler to the table and returns its number; 0 if there is no room.
  public static func scheduler(named name: String, kind: SchedulerKind) -> UInt32 {
    guard isOn, let (recorder, thread) = Recorder.enter() else { return 0 }
    defer { Recorder.leave(thread) }
    return recorder.pointee.tables.withLock { recorder.pointee.schedulers.add(name, kind) }
  }

  /// A scheduler accepts work on behalf of `subscription`: captures the stack, if stacks are on.
  @inline(never)
  public static func hopScheduled(scheduler: UInt32, subscription: TraceID) -> TraceHop {
    guard isOn, let (recorder, thread) = Recorder.enter() else { return TraceHop() }
    defer { Recorder.leave(thread) }
    guard thread.pointee.level != 0 else { return TraceHop() }
    recorder.pointee.tick(thread)
    return recorder.pointee.hopScheduled(
      thread,
      from: rxt_frame_address(),
      scheduler: scheduler,
      subscription: subscription
    )
  }

  /// The work is about to run on this thread.
  ///
  /// Pass what it returns to ``hopEnded(_:_:)``.
  public static func hopBegan(_ hop: TraceHop) -> TraceHop.Outer {
    guard hop.id != 0, let (recorder, thread) = Recorder.enter() else { return TraceHop.Outer() }
    defer { Recorder.leave(thread) }
    recorder.pointee.tick(thread)
    return recorder.pointee.hopBegan(thread, hop)
  }

  /// The work has returned.
  public static func hopEnded(_ hop: TraceHop, _ outer: TraceHop.Outer) {
    guard hop.id != 0, let (recorder, thread) = Recorder.enter() else { return }
    defer { Recorder.leave(thread) }
    recorder.pointee.tick(thread)
    recorder.pointee.hopEnded(thread, hop, outer)
  }

  /// The work was cancelled before it began.
  public static func hopCancelled(_ hop: TraceHop) {
    guard hop.id != 0, let (recorder, thread) = Recorder.enter() else { return }
    defer { Recorder.leave(thread) }
    recorder.pointee.tick(thread)
    recorder.pointee.hopCancelled(thread, hop)
  }

  // MARK: Timers

  /// A timer is armed, on behalf of `subscription` if it is an operator's.
  ///
  /// - Parameters:
  ///   - site: Who arms it.
  ///   - subscription: On whose behalf; none for a timer of the program's own.
  ///   - microseconds: Its period; 0 for one that fires once.
  ///   - scheduler: Where its work runs.
  ///   - hop: Its work, which has the stack of here already where stacks are recorded.
  /// - Returns: What to pass when it fires and ends.
  @inline(never)
  public static func timerArmed(
    site: UInt32,
    subscription: TraceID,
    microseconds: UInt32,
    scheduler: UInt32,
    hop: TraceHop = TraceHop()
  ) -> TraceID {
    guard isOn, let (recorder, thread) = Recorder.enter() else { return .none }
    defer { Recorder.leave(thread) }
    guard thread.pointee.level != 0 else { return .none }
    recorder.pointee.tick(thread)
    recorder.pointee.markIfDue(thread)
    let chain = hop.chain != 0 ? hop.chain : recorder.pointee.chainNow(thread)
    return recorder.pointee.timerArmed(
      thread,
      site: site,
      subscription: subscription,
      microseconds: microseconds,
      scheduler: scheduler,
      chain: chain
    )
  }

  /// The timer's work is about to run.
  ///
  /// Pass what it returns to ``timerReturned(_:_:)``.
  public static func timerFired(_ timer: TraceID) -> UInt64 {
    record(timer) {
      $0.pointee.markIfDue($1)
      $0.pointee.timerFired($1, timer)
    }
    return rxt_thread_state().pointee.delivered
  }

  /// The timer's work has returned: notes whether any event was delivered meanwhile.
  public static func timerReturned(_ timer: TraceID, _ before: UInt64) {
    record(timer) { $0.pointee.timerReturned($1, timer, before: before) }
  }

  /// The timer was cancelled or has fired for the last time: its slot may be reused.
  public static func timerEnded(_ timer: TraceID, _ reason: EndReason) {
    let note = PostponedEnds.released | reason.rawValue << PostponedEnds.reasonShift
    record(timer, postponed: note) { $0.pointee.timerEnded($1, timer, reason) }
  }

  // MARK: Coming in

  /// Runs `body` with a fresh time, for an entity that is traced.
  ///
  /// While recording is stopped, leaves `note` about its slot instead.
  @inline(__always)
  private static func record(
    _ id: TraceID,
    postponed note: UInt32 = 0,
    ticks: Bool = true,
    _ body: (UnsafePointer<Recorder>, ThreadState) -> Void
  ) {
    guard id != .none, let (recorder, thread) = Recorder.enter() else { return }
    defer { Recorder.leave(thread) }
    if recorder.pointee.isStopped(thread) {
      let slot = Packing.slot(of: id, slotBits: recorder.pointee.slab.slotBits)
      if note != 0 { recorder.pointee.postponed.note(note, slot: slot) }
      return
    }
    if ticks { recorder.pointee.tick(thread) }
    body(recorder, thread)
  }
}

/// The pattern of `RXLOG`, read once.
enum LogPattern {
  static let text: String? = OutputDirectory.environment("RXLOG")
  static let isSet = text != nil

  /// The value of the recording flag while nothing is recorded: 3 where signals are logged all the same.
  static var idleFlag: UInt32 { isSet ? 3 : 0 }
}
