import CReactiveTraceShims
import Synchronization
import TracePlatform

/// The effective level: the program's own, or a higher one for which an inspector has a lease.
extension Recorder {
  /// Sets the program's own level.
  func setLevel(_ level: TraceLevel) {
    // The end of the startup, which another thread may reach now, must not undo it.
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

  /// Stops recording single events at level graph, once enough of its beginning has been recorded
  /// with them.
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
  /// No thread has such a lease's expiry among its limits: the level would stay raised.
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
      // Acquires the level, which is stored before.
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

  /// Adopts the level of a control word, and records it if no thread has yet.
  ///
  /// `thread` has seen the word.
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
      notedLevel.compareExchange(
        expected: noted,
        desired: whole,
        ordering: .relaxed
      ).exchanged
    else { return }
    let process = lease.level.rawValue == whole ? lease.process : 0
    write(PendingRecord(.levelChanged, whole, process), thread)
  }

  /// The ticks at which a thread has to do something besides recording.
  func updateTimeLimit(_ thread: ThreadState) {
    let deltas =
      thread.pointee.segment == nil
      ? UInt64.max : thread.pointee.base &+ Layout.Record.deltaLimit
    thread.pointee.time_limit = min(deltas, thread.pointee.lease_limit)
  }

  /// A thread's time has reached its limit: a lease may have expired, or its segment may be too
  /// old.
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
