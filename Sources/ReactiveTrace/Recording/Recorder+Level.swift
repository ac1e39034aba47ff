import CReactiveTraceShims
import Synchronization
import TracePlatform

/// The effective level: the program's own, or a higher one that an inspector has requested for a
/// limited time with a lease.
extension Recorder {
  /// Sets the program's own level.
  func setLevel(_ level: TraceLevel) {
    // The lock is held so that the end of the startup, which another thread may reach at the same
    // time, does not replace the new level.
    pool.lock.withLock {
      isStartingUp.store(false, ordering: .relaxed)
      Layout.FileHeader.baseLevel.setRelaxed(level.rawValue, at: base)
    }
    reconsiderLevel(at: clock.now)
  }

  /// Stores the effective level in the control word, where all threads see it.
  func reconsiderLevel(at time: UInt64) {
    let level = effectiveLevel(at: time)
    Layout.FileHeader.control.update(at: base) { ControlWord.with($0, level: level) }
    updateFlag()
  }

  /// Ends the startup once enough segments have been assigned.
  ///
  /// During the startup, level `graph` includes single events.
  ///
  /// Requires the pool's lock.
  func segmentTaken(at time: UInt64) {
    guard isStartingUp.load(ordering: .relaxed), pool.state.pointee.epoch > startupSegments
    else { return }
    Layout.FileHeader.baseLevel.setRelaxed(TraceLevel.graph.rawValue, at: base)
    isStartingUp.store(false, ordering: .relaxed)
    reconsiderLevel(at: time)
  }

  /// Lowers a level whose lease expired before any thread saw it.
  ///
  /// No thread has the expiry of such a lease as its time limit, so the level would otherwise stay
  /// raised.
  func giveUpExpiredLevel(at time: UInt64) {
    let word = control
    guard !ControlWord.isStopped(word),
      ControlWord.level(word) > effectiveLevel(at: time).rawValue
    else { return }
    reconsiderLevel(at: time)
  }

  private func effectiveLevel(at time: UInt64) -> TraceLevel {
    let own = TraceLevel(rawValue: Layout.FileHeader.baseLevel.relaxed(at: base)) ?? .off
    guard own != .off else { return .off }
    let asked = lease(at: time).level
    return max(own, min(asked, details.pointee.options.maximumLevel))
  }

  /// The highest level of an unexpired lease, its process, and when the next lease expires.
  func lease(at time: UInt64) -> (level: TraceLevel, process: UInt32, expiry: UInt64) {
    var found = (level: TraceLevel.off, process: 0 as UInt32, expiry: UInt64.max)
    for index in 0..<Layout.Lease.count {
      let slot = base + Layout.FileHeader.leases + index * Layout.Lease.byteCount
      // This load acquires the level, which is stored before the expiry.
      let expiry = Layout.Lease.expiry.acquire(at: slot)
      guard expiry > time, let level = TraceLevel(rawValue: Layout.Lease.level.relaxed(at: slot))
      else { continue }
      found.expiry = min(found.expiry, expiry)
      guard level > found.level else { continue }
      found.level = level
      found.process = Layout.Lease.processID.relaxed(at: slot)
    }
    return found
  }

  // MARK: A thread's view

  /// Adopts the level of a control word, and records the change if no other thread has.
  ///
  /// The caller has already stored `word` as the last one that `thread` has seen.
  func takeLevel(_ word: UInt32, _ thread: ThreadState) {
    let whole = ControlWord.level(word)
    thread.pointee.level = whole == 0 ? 0 : max(whole, placeLevel)
    noteEventGeneration(thread)
    thread.pointee.slab =
      thread.pointee.level == 0 ? nil : slab.region.base.assumingMemoryBound(to: UInt8.self)
    guard !ControlWord.isStopped(word) else { return }
    let noted = notedLevel.load(ordering: .relaxed)
    let lease = lease(at: thread.pointee.time)
    thread.pointee.lease_limit = lease.expiry
    updateTimeLimit(thread)
    guard noted != whole,
      notedLevel.compareExchange(expected: noted, desired: whole, ordering: .relaxed).exchanged
    else { return }
    let process = lease.level.rawValue == whole ? lease.process : 0
    write(PendingRecord(.levelChanged, whole, process), thread)
  }

  /// Determines the time, in ticks, at which a thread has to do something besides recording.
  func updateTimeLimit(_ thread: ThreadState) {
    let deltas =
      thread.pointee.segment == nil
      ? UInt64.max : thread.pointee.base &+ Layout.Record.deltaLimit
    thread.pointee.time_limit = min(deltas, thread.pointee.lease_limit)
  }

  /// To be called when a thread's time has reached its limit, because a lease may have expired, or
  /// the thread's segment may be too old for another record.
  func limitReached(_ thread: ThreadState) {
    if thread.pointee.time >= thread.pointee.lease_limit {
      reconsiderLevel(at: thread.pointee.time)
      thread.pointee.lease_limit = lease(at: thread.pointee.time).expiry
      updateTimeLimit(thread)
      let word = rxt_load_relaxed_u32(thread.pointee.control)
      if word != thread.pointee.seen { resynchronize(thread) }
    }
    guard let segment = thread.pointee.segment, thread.pointee.time >= thread.pointee.time_limit
    else { return }
    pool.lock.withLock { pool.seal(segment, isFull: false) }
    dropSegment(thread)
    drain()
  }
}
