import CReactiveTraceShims
import Glibc
import TracePlatform

extension Recorder {
  /// The thread-specific key whose destructor notifies the recorder that a thread is ending.
  private static let threadKey: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { _ in Recorder.threadEnds() }
    return key
  }()

  // MARK: Entering

  /// Returns the recorder and the calling thread's state, which is up to date with the control word
  /// (level, generation, and whether recording is stopped); nil if there is no recorder, or if this
  /// is a signal handler that has interrupted the recorder.
  ///
  /// If the result is not nil, the caller has to call ``leave(_:)`` at the end.
  @inline(__always)
  static func enter() -> (recorder: UnsafePointer<Recorder>, thread: ThreadState)? {
    guard let recorder = current else { return nil }
    let thread = rxt_thread_state()
    guard thread.pointee.busy == 0 else {
      recorder.pointee.countDropped(thread)
      return nil
    }
    thread.pointee.busy = 1
    rxt_fence_signal()
    if rxt_load_relaxed_u32(thread.pointee.control) != thread.pointee.seen {
      recorder.pointee.resynchronize(thread)
    }
    return (recorder, thread)
  }

  @inline(__always)
  static func leave(_ thread: ThreadState) {
    rxt_fence_signal()
    thread.pointee.busy = 0
  }

  /// Runs code that takes locks of the recorder without having called ``enter()``, and marks the
  /// thread as busy, so that a signal handler which interrupts it does not wait for a lock that its
  /// own thread holds.
  static func busily<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let thread = rxt_thread_state()
    let before = thread.pointee.busy
    thread.pointee.busy = 1
    rxt_fence_signal()
    defer {
      rxt_fence_signal()
      thread.pointee.busy = before
    }
    return try body()
  }

  /// Reacts to a changed control word: at a thread's first call, at a change of the level, at the
  /// beginning of a generation, and at a stop.
  func resynchronize(_ thread: ThreadState) {
    if thread.pointee.phase == 0 { register(thread) }
    giveUpExpiredLevel(at: thread.pointee.time)
    let word = rxt_load_relaxed_u32(thread.pointee.control)
    if let segment = thread.pointee.segment {
      let generation = UInt64(thread.pointee.generation)
      if ControlWord.generationBits(of: generation) != ControlWord.generationBits(in: word) {
        pool.lock.withLock { pool.seal(segment, isFull: false) }
        dropSegment(thread)
        drain()
      }
    }
    thread.pointee.seen = word
    guard hasLists(thread) else {
      thread.pointee.level = 0
      thread.pointee.slab = nil
      return
    }
    takeLevel(word, thread)
  }

  /// Makes sure that the thread has the lists that it needs to record; returns false if there is no
  /// memory.
  private func hasLists(_ thread: ThreadState) -> Bool {
    guard thread.pointee.lists == nil else { return true }
    guard rxt_take_lists() else { return false }
    // Any value but null makes the destructor run, and run again if other destructors record.
    pthread_setspecific(Self.threadKey, thread)
    return true
  }

  private func register(_ thread: ThreadState) {
    thread.pointee.phase = 1
    rxt_crash_prepare_thread()
    thread.pointee.counts_cycles = clock.countsCycles
    tick(thread)
    thread.pointee.slot_mask = 1 << slab.slotBits - 1
    thread.pointee.control = UnsafePointer(
      (base + Layout.FileHeader.control.offset).assumingMemoryBound(to: UInt32.self)
    )
    thread.pointee.thread_id = tables.withLock { threads.add(firstSeen: thread.pointee.time) }
  }

  // MARK: Ending

  private static func threadEnds() {
    guard let (recorder, thread) = enter() else { return }
    recorder.pointee.end(thread)
    leave(thread)
  }

  private func end(_ thread: ThreadState) {
    let isFirst = thread.pointee.phase != 2
    thread.pointee.phase = 2
    if thread.pointee.ready_next != thread.pointee.ready_count { dropReady(thread) }
    if let segment = thread.pointee.segment, let cursor = thread.pointee.cursor {
      pool.lock.withLock {
        pool.giveBack(segment, committed: cursor - segment, time: thread.pointee.time)
      }
      dropSegment(thread)
      drain()
    }
    if isFirst { tables.withLock { threads.end(thread.pointee.thread_id, at: clock.now) } }
    rxt_give_lists_back()
    // If destructors of other keys record something, the thread takes new lists.
    thread.pointee.seen = UInt32.max
    thread.pointee.level = 0
    thread.pointee.slab = nil
  }

  /// Notes that the thread no longer owns a segment.
  ///
  /// Its next record takes the slow path.
  func dropSegment(_ thread: ThreadState) {
    thread.pointee.segment = nil
    thread.pointee.cursor = nil
    thread.pointee.end = nil
    thread.pointee.base = 0
    thread.pointee.time_limit = thread.pointee.lease_limit
  }

  /// Whether recording is stopped, according to the control word that the thread has seen.
  func isStopped(_ thread: ThreadState) -> Bool { ControlWord.isStopped(thread.pointee.seen) }

  // MARK: Time

  /// Reads the clock into the thread's cached time, which never goes back.
  @inline(__always)
  func tick(_ thread: ThreadState) {
    advance(thread, to: clock.now)
  }

  @inline(__always)
  func advance(_ thread: ThreadState, to time: UInt64) {
    let known = thread.pointee.time
    if time > known { rxt_advance_time(thread, known, time) }
  }

  // MARK: Loss

  /// Counts a record of the thread that could not be written.
  ///
  /// Nothing is counted while recording is stopped.
  func countDropped(_ thread: ThreadState) {
    guard !ControlWord.isStopped(control) else { return }
    thread.pointee.dropped &+= 1
    Layout.FileHeader.lostRecords.add(1, at: base)
    pool.region.countLost()
    threads.countLost(thread.pointee.thread_id, 1)
  }
}
