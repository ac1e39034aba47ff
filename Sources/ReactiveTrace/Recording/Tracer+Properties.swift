public import CReactiveTraceShims
public import TraceFormat

/// What a thread reads from a property, and sets it to next.
extension Tracer {
  /// Notes that the thread has read a property.
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
    thread.pointee.read_at = thread.pointee.time
  }

  /// Whether this property is the one that the thread has read last, in the work that it is doing
  /// now.
  @inlinable @inline(__always)
  public static func hasRead(_ signal: TraceID) -> Bool {
    let thread = rxt_thread_state()
    return thread.pointee.read_signal == signal.rawValue
      && thread.pointee.read_at == thread.pointee.time
  }

  /// Records that the thread is about to replace a value that it has not seen, if the property has
  /// been set since the thread read it.
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
    recorder.pointee.write(
      PendingRecord(.valueOverwritten, signal.rawValue, 0),
      thread,
      about: slot,
      isEvent: true
    )
  }
}
