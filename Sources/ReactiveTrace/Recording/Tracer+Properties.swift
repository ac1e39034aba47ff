public import CReactiveTraceShims
public import TraceFormat

/// What a thread reads from a property, and sets it to next.
extension Tracer {
  /// Notes that the thread has read a property; reads the clock.
  ///
  /// - Parameters:
  ///   - signal: The signal of the property; it must be traced.
  ///   - stamp: The number of the set that gave the property the value that was read.
  @inlinable @inline(__always)
  public static func propertyRead(_ signal: TraceID, _ stamp: UInt64) {
    let thread = rxt_thread_state()
    guard thread.pointee.level >= TraceLevel.events.rawValue else { return }
    thread.pointee.read_signal = signal.rawValue
    thread.pointee.read_stamp = stamp
    thread.pointee.read_at = rxt_ticks(thread.pointee.counts_cycles)
    thread.pointee.read_time = thread.pointee.time
  }

  /// Whether this property is the one that the thread has read last, and the thread has recorded no
  /// other work or delivery since.
  @inlinable @inline(__always)
  public static func hasRead(_ signal: TraceID) -> Bool {
    let thread = rxt_thread_state()
    return thread.pointee.read_signal == signal.rawValue
      && thread.pointee.read_time == thread.pointee.time
  }

  /// Notes that the thread has set a property in a way that loses nothing.
  @inlinable @inline(__always)
  public static func propertyIsSet(_ signal: TraceID) {
    let thread = rxt_thread_state()
    if thread.pointee.read_signal == signal.rawValue { thread.pointee.read_signal = 0 }
  }

  /// Records that the thread is about to replace a value that it has not seen, if the property has
  /// been set since the thread read it.
  ///
  /// Nothing is recorded if the read is longer ago than half a second: work that is not recorded,
  /// such as a block of a dispatch queue, may then have begun in between.
  ///
  /// - Parameters:
  ///   - signal: A signal for which ``hasRead(_:)`` is true.
  ///   - stamp: The number of the latest set of the property.
  public static func propertyWillBeSet(_ signal: TraceID, _ stamp: UInt64) {
    let state = rxt_thread_state()
    state.pointee.read_signal = 0
    guard state.pointee.read_stamp != stamp, let (recorder, thread) = Recorder.enter() else {
      return
    }
    defer { Recorder.leave(thread) }
    guard thread.pointee.level >= TraceLevel.events.rawValue,
      let slot = recorder.pointee.slab.liveSlot(signal)
    else { return }
    recorder.pointee.tick(thread)
    let age = thread.pointee.time &- thread.pointee.read_at
    guard recorder.pointee.clock.nanoseconds(age) < 500_000_000 else { return }
    recorder.pointee.write(
      PendingRecord(.valueOverwritten, signal.rawValue, 0),
      thread,
      about: slot,
      isEvent: true
    )
  }
}
