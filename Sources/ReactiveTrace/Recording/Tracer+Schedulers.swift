internal import CReactiveTraceShims
import TracePlatform

extension Tracer {
  // MARK: Schedulers

  /// Adds a scheduler to the table and returns its number; 0 if there is no room.
  public static func scheduler(named name: String, kind: SchedulerKind) -> UInt32 {
    guard isOn, let (recorder, thread) = Recorder.enter() else { return 0 }
    defer { Recorder.leave(thread) }
    return recorder.pointee.tables.withLock { recorder.pointee.schedulers.add(name, kind) }
  }

  /// Records that a scheduler accepts work on behalf of `subscription`; captures the stack if
  /// stacks are recorded.
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

  /// Records that the work is about to run on this thread.
  ///
  /// Pass the result to ``hopEnded(_:_:)``.
  public static func hopBegan(_ hop: TraceHop) -> TraceHop.Outer {
    guard hop.id != 0, let (recorder, thread) = Recorder.enter() else { return TraceHop.Outer() }
    defer { Recorder.leave(thread) }
    recorder.pointee.tick(thread)
    return recorder.pointee.hopBegan(thread, hop)
  }

  /// Records that the work has returned.
  public static func hopEnded(_ hop: TraceHop, _ outer: TraceHop.Outer) {
    guard hop.id != 0, let (recorder, thread) = Recorder.enter() else { return }
    defer { Recorder.leave(thread) }
    recorder.pointee.tick(thread)
    recorder.pointee.hopEnded(thread, hop, outer)
  }

  /// Records that the work was cancelled before it began.
  public static func hopCancelled(_ hop: TraceHop) {
    guard hop.id != 0, let (recorder, thread) = Recorder.enter() else { return }
    defer { Recorder.leave(thread) }
    recorder.pointee.tick(thread)
    recorder.pointee.hopCancelled(thread, hop)
  }

  // MARK: Timers

  /// Records that a timer is armed, for `subscription` if it belongs to an operator.
  ///
  /// - Parameters:
  ///   - site: The site at which it is armed.
  ///   - subscription: The subscription whose operator arms it; none for a timer of the program
  ///     itself.
  ///   - microseconds: Its period; 0 for one that fires once.
  ///   - scheduler: Where its work runs.
  ///   - hop: The hop of its work, which already contains the current stack if stacks are recorded.
  /// - Returns: The timer's identifier, to be passed when it fires and ends.
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

  /// Records that the timer's work is about to run.
  ///
  /// Pass the result to ``timerReturned(_:_:)``.
  public static func timerFired(_ timer: TraceID) -> UInt64 {
    record(timer) {
      $0.pointee.markIfDue($1)
      $0.pointee.timerFired($1, timer)
    }
    let thread = rxt_thread_state()
    defer { thread.pointee.delivered = 0 }
    return thread.pointee.delivered
  }

  /// Records that the timer's work has returned, and whether any event was delivered meanwhile.
  public static func timerReturned(_ timer: TraceID, _ before: UInt64) {
    let thread = rxt_thread_state()
    let isIdle = thread.pointee.delivered == 0
    // If this timer fired inside the work of another timer, an event that this one delivered also
    // counts for the other.
    thread.pointee.delivered |= before
    record(timer) { $0.pointee.timerReturned($1, timer, isIdle: isIdle) }
  }

  /// Records that the timer was cancelled or has fired for the last time; its slot may then be
  /// reused.
  public static func timerEnded(_ timer: TraceID, _ reason: EndReason) {
    let note = PostponedEnds.released | reason.rawValue << PostponedEnds.reasonShift
    record(timer, postponed: note) { $0.pointee.timerEnded($1, timer, reason) }
  }
}
