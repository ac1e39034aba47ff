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
    guard thread.pointee.level >= TraceLevel.events.rawValue, let lists = thread.pointee.lists
    else {
      return
    }
    lists.pointee.read_signal = signal.rawValue
    lists.pointee.read_stamp = stamp
    lists.pointee.read_at = rxt_ticks(thread.pointee.counts_cycles)
    lists.pointee.read_time = thread.pointee.time
  }

  /// Whether this property is the one that the thread has read last, and the thread has recorded no
  /// other work or delivery since.
  @inlinable @inline(__always)
  public static func hasRead(_ signal: TraceID) -> Bool {
    let thread = rxt_thread_state()
    guard let lists = thread.pointee.lists else { return false }
    return lists.pointee.read_signal == signal.rawValue
      && lists.pointee.read_time == thread.pointee.time
  }

  /// Notes that the thread has set a property in a way that loses nothing.
  @inlinable @inline(__always)
  public static func propertyIsSet(_ signal: TraceID) {
    guard let lists = rxt_thread_state().pointee.lists else { return }
    if lists.pointee.read_signal == signal.rawValue { lists.pointee.read_signal = 0 }
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
    guard let lists = rxt_thread_state().pointee.lists else { return }
    lists.pointee.read_signal = 0
    let age = rxt_ticks(rxt_thread_state().pointee.counts_cycles) &- lists.pointee.read_at
    guard lists.pointee.read_stamp != stamp, let (recorder, thread) = Recorder.enter() else {
      return
    }
    defer { Recorder.leave(thread) }
    guard thread.pointee.level >= TraceLevel.events.rawValue,
      let slot = recorder.pointee.slab.liveSlot(signal),
      recorder.pointee.clock.nanoseconds(age) < 500_000_000
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
