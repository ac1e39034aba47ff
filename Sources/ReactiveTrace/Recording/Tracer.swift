public import CReactiveTraceShims
import TracePlatform

/// The interface through which a traced library reports to the recorder.
///
/// It is meant for authors of libraries; programs use ``Trace``. No function here blocks for long,
/// throws, or fails: if there is no room, the record is dropped and counted. Every function does
/// nothing for ``/TraceFormat/TraceID/none``, and may be called from any thread.
public enum Tracer {
  /// Whether anything is being recorded.
  ///
  /// Costs one relaxed load, except for the first call in a process, which reads `RXTRACE`.
  @inlinable @inline(__always)
  public static var isOn: Bool {
    let flag = rxt_load_relaxed_u32(rxt_recording_flag())
    return flag != 0 && (flag == 1 || startsFromEnvironment())
  }

  /// Whether something is recorded or `RXLOG` is set, so that subscriptions need probes, the code
  /// that records and logs their events.
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

  /// The value of `RXLOG` in the environment, which says which signals are to be logged; nil if it
  /// is not set.
  public static var logPattern: String? { LogPattern.text }

  /// Whether any signals are to be logged; only valid if ``isProbing``.
  @inlinable @inline(__always)
  public static var isLogging: Bool {
    rxt_load_relaxed_u32(rxt_probe_extras_word()) & 1 != 0
      || rxt_load_relaxed_u32(rxt_recording_flag()) == 3
  }

  /// Reads the environment, begins to record if it says so, and returns whether something is
  /// recorded.
  @usableFromInline @inline(never)
  static func startsFromEnvironment() -> Bool {
    Trace.startFromEnvironment()
    return rxt_load_relaxed_u32(rxt_recording_flag()) == 1
  }

  // MARK: Subscriptions

  /// Records that a subscription to `signal` begins, whose events go to `downstream`.
  ///
  /// - Parameters:
  ///   - site: The site of the operator, or of the program's call of `subscribe`.
  ///   - signal: The signal that is subscribed to.
  ///   - downstream: The subscription that its events go to; none if there is none.
  ///   - scope: Identifies the stages that end together with the subscription: an even number that
  ///     is unique among live scopes, plus one if something downstream of the subscription is not
  ///     traced; 0 if the scope is unknown.
  /// - Returns: The subscription's identifier, for later calls.
  @inline(never)
  public static func subscribed(
    site: UInt32,
    signal: TraceID,
    downstream: TraceID,
    scope: UInt = 0
  ) -> TraceID {
    guard let (recorder, thread) = beginning(downstream) else { return .none }
    defer { Recorder.leave(thread) }
    return recorder.pointee.subscribed(
      thread,
      site: site,
      signal: signal,
      downstream: downstream,
      scope: scope,
      from: rxt_frame_address()
    )
  }

  /// Begins a stage (the subscription to one signal of a chain of operators), together with the
  /// stages upstream of it that will be requested next.
  ///
  /// Their sites are those of their signals, which
  /// ``signalCreated(site:upstream:others:argument:passesOn:)`` has marked as forwarding
  /// subscriptions. Each stage is linked so that it ends before the next one downstream, and the
  /// first before `downstream`, as by ``put(_:before:)``.
  ///
  /// - Parameters:
  ///   - signal: A traced signal that the caller holds.
  ///   - downstream: Where its events go.
  ///   - scope: The scope in which they end, as in ``subscribed(site:signal:downstream:scope:)``.
  /// - Returns: The first of them, which belongs to the caller, and the last. ``takeStage(of:)``
  ///   returns the others.
  @inline(never)
  public static func stagesBegan(
    signal: TraceID,
    downstream: TraceID,
    scope: UInt = 0
  ) -> TraceStages {
    guard signal != .none, let (recorder, thread) = beginning(downstream) else {
      return TraceStages()
    }
    defer { Recorder.leave(thread) }
    return recorder.pointee.stagesBegan(
      thread,
      signal: signal,
      downstream: downstream,
      scope: scope,
      from: rxt_frame_address()
    )
  }

  /// Begins a subscription to `signal` by the program itself, together with the stages that will be
  /// requested next, as in ``stagesBegan(signal:downstream:scope:)``.
  ///
  /// - Parameters:
  ///   - site: The site of the program's call of `subscribe`.
  ///   - signal: A signal that the caller holds.
  ///   - scope: The scope in which they end, as in ``subscribed(site:signal:downstream:scope:)``.
  /// - Returns: The subscription, and the last of its stages.
  @inline(never)
  public static func rootBegan(site: UInt32, signal: TraceID, scope: UInt = 0) -> TraceStages {
    guard let (recorder, thread) = beginning(.none) else { return TraceStages() }
    defer { Recorder.leave(thread) }
    return recorder.pointee.stagesBegan(
      thread,
      root: site,
      signal: signal,
      downstream: .none,
      scope: scope,
      from: rxt_frame_address()
    )
  }

  /// Takes the next of the stages that have begun together; none if there is no further one, or if
  /// it does not belong to `signal`.
  @inlinable @inline(__always)
  public static func takeStage(of signal: TraceID) -> TraceID {
    TraceID(rawValue: rxt_take_ready(rxt_thread_state(), signal.rawValue))
  }

  /// To be called when no more of the stages that have begun together will be requested.
  @inlinable @inline(__always)
  public static func stagesTaken() {
    let thread = rxt_thread_state()
    if thread.pointee.ready_next != thread.pointee.ready_count { dropStages() }
  }

  @usableFromInline @inline(never)
  static func dropStages() {
    let thread = rxt_thread_state()
    let ready = rxt_ready(thread)
    while thread.pointee.ready_next < thread.pointee.ready_count {
      let id = TraceID(rawValue: ready[Int(thread.pointee.ready_next)])
      thread.pointee.ready_next += 1
      releaseNow(id)
    }
  }

  /// Enters the recorder for the beginning of a subscription.
  @inline(__always)
  private static func beginning(
    _ downstream: TraceID
  ) -> (recorder: UnsafePointer<Recorder>, thread: ThreadState)? {
    guard isOn, let (recorder, thread) = Recorder.enter() else { return nil }
    guard thread.pointee.level != 0 else {
      Recorder.leave(thread)
      return nil
    }
    // A subscription that an operator makes for another one begins together with that one, or in a
    // delivery, for which the clock has been read.
    if downstream == .none || thread.pointee.time == 0 {
      recorder.pointee.tick(thread)
      recorder.pointee.markIfDue(thread)
    }
    return (recorder, thread)
  }

  /// Records a call of `dispose`.
  public static func disposeRequested(_ subscription: TraceID) {
    record(subscription) { $0.pointee.disposeRequested($1, subscription) }
  }

  /// Records that a subscription has ended and its upstream has been torn down.
  ///
  /// Then records the same for the subscriptions that ``put(_:before:)`` has linked to it, in
  /// order. Must be called once for a subscription, by the thread that ends it.
  ///
  /// - Parameters:
  ///   - subscription: The first of those that end.
  ///   - reason: Why they end.
  ///   - cause: What caused the end. The recorder itself determines which subscription or operator
  ///     is directly downstream.
  ///   - owner: The owner that ended them; none if something else did.
  @inline(never)
  public static func ended(
    _ subscription: TraceID,
    _ reason: EndReason,
    _ cause: EndCause = .unknown,
    by owner: TraceID = .none
  ) {
    guard subscription != .none, let (recorder, thread) = Recorder.enter() else { return }
    defer { Recorder.leave(thread) }
    if recorder.pointee.isStopped(thread) {
      return recorder.pointee.postponeEnds(thread, subscription, reason)
    }
    // A thread that cancels has read the clock recently: in a delivery, at the beginning of work,
    // or in `disposeRequested`.
    if reason != .cancelled { recorder.pointee.tick(thread) }
    recorder.pointee.markIfDue(thread)
    let tearDown = Recorder.TearDown(cause, owner, from: rxt_frame_address())
    recorder.pointee.ended(thread, subscription, reason, tearDown)
  }

  /// Records the end of subscriptions by a terminal event, as ``ended(_:_:_:by:)`` does, and also
  /// that event for each of them.
  ///
  /// - Parameters:
  ///   - subscription: The first of those that end.
  ///   - failure: The type of the error, if it is a failure.
  public static func ended(_ subscription: TraceID, by failure: (any Any.Type)?) {
    guard subscription != .none, let (recorder, thread) = Recorder.enter() else { return }
    defer { Recorder.leave(thread) }
    let reason = failure == nil ? EndReason.completed : .failed
    if recorder.pointee.isStopped(thread) {
      return recorder.pointee.postponeEnds(thread, subscription, reason)
    }
    recorder.pointee.tick(thread)
    recorder.pointee.markIfDue(thread)
    var terminal = Recorder.Terminal(kind: .completed)
    if let failure {
      let name = _typeName(failure)
      terminal.kind = .failed
      terminal.argument = recorder.pointee.tables.withLock { recorder.pointee.strings.intern(name) }
    }
    let tearDown = Recorder.TearDown(.event, .none, from: 0)
    recorder.pointee.ended(thread, subscription, reason, tearDown, terminal)
  }

  /// Links a new subscription to others, so that it ends just before them: one call of
  /// ``ended(_:_:_:by:)`` reports all of them.
  ///
  /// - Parameters:
  ///   - subscription: A subscription that no other thread can end yet.
  ///   - others: The first of the others; none if there are none.
  public static func put(_ subscription: TraceID, before others: TraceID) {
    guard subscription != .none, let recorder = Recorder.current else { return }
    let slab = recorder.pointee.slab
    slab.stages.setNext(others, slab.index(subscription))
  }

  /// Adds a holder besides the subscription's closures: code that may report something about it
  /// even after it has ended.
  ///
  /// The subscription is not released before ``release(_:)`` has been called for this holder.
  public static func held(_ subscription: TraceID) {
    guard subscription != .none, let (recorder, thread) = Recorder.enter() else { return }
    defer { Recorder.leave(thread) }
    recorder.pointee.hold(subscription)
  }

  /// Removes a holder; once the subscription has ended and has no holders, the slot may be reused.
  @inlinable @inline(__always)
  public static func release(_ subscription: TraceID) {
    guard subscription != .none else { return }
    // Usually the end of the subscription follows on this thread, and processes the noted release.
    if !rxt_note_release(rxt_thread_state(), subscription.rawValue) { releaseNow(subscription) }
  }

  @usableFromInline @inline(never)
  static func releaseNow(_ subscription: TraceID) {
    guard let (recorder, thread) = Recorder.enter() else { return }
    defer { Recorder.leave(thread) }
    // In most cases this follows the end on the same thread, so the cached time is recent enough.
    if recorder.pointee.isStopped(thread) {
      recorder.pointee.postponeRelease(thread, subscription)
    } else {
      recorder.pointee.release(thread, subscription)
    }
  }

  /// To be called before the stages of a subscription are torn down and ``ended(_:_:_:by:)`` is
  /// called for it, which then processes the releases that happen meanwhile.
  ///
  /// Must be followed by ``endTeardown()``.
  @inlinable @inline(__always)
  public static func beginTeardown() { rxt_thread_state().pointee.tearing &+= 1 }

  /// To be called when the subscription has been torn down and has ended.
  @inlinable @inline(__always)
  public static func endTeardown() {
    let thread = rxt_thread_state()
    thread.pointee.tearing &-= 1
    if thread.pointee.tearing == 0, thread.pointee.release_count != 0 { flushReleases(thread) }
  }

  /// Processes the releases that happened after the last end.
  @usableFromInline @inline(never)
  static func flushReleases(_ state: UnsafeMutablePointer<rxt_thread>) {
    guard let (recorder, thread) = Recorder.enter() else {
      state.pointee.release_count = 0
      return
    }
    recorder.pointee.flushReleases(thread)
    Recorder.leave(thread)
  }

  /// Records that nothing more will be reported about a subscription: it ends if it has not ended,
  /// and its slot may be reused.
  public static func subscriptionReleased(_ subscription: TraceID) {
    // In most cases this follows the end on the same thread, so the cached time is recent enough.
    record(subscription, postponed: PostponedEnds.released, ticks: false) {
      $0.pointee.subscriptionReleased($1, subscription)
    }
  }

  /// Records that the disposable returned to the program was released although the subscription has
  /// not ended.
  public static func disposableReleased(_ subscription: TraceID) {
    record(subscription) { $0.pointee.disposableReleased($1, subscription) }
  }

  // MARK: Entering

  /// Runs `body` in the recorder with an updated time, if the entity is traced.
  ///
  /// While recording is stopped, stores a note about the entity's slot instead (``PostponedEnds``).
  @inline(__always)
  static func record(
    _ id: TraceID,
    postponed note: UInt32 = 0,
    ticks: Bool = true,
    _ body: (UnsafePointer<Recorder>, ThreadState) -> Void
  ) {
    guard id != .none, let (recorder, thread) = Recorder.enter() else { return }
    defer { Recorder.leave(thread) }
    if recorder.pointee.isStopped(thread) {
      let slot = Packing.slot(of: id, slotBits: recorder.pointee.slab.slotBits)
      if note != 0 {
        recorder.pointee.postponed.note(note, slot: slot)
        recorder.pointee.applyPostponedIfResumed(thread)
      }
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

  /// The value of the recording flag while nothing is recorded: 3 if signals are logged, otherwise
  /// 0.
  static var idleFlag: UInt32 { isSet ? 3 : 0 }
}
