import CReactiveTraceShims
import TracePlatform

extension Recorder {
  /// The maximum number of records that any call writes: a `thread` record, a `lost` record, a
  /// status with its continuations, and the record itself with its own.
  private static var longest: Int { 2 + 2 * Layout.Record.longest }

  /// Writes a record, preceded by the status of its entity if necessary.
  ///
  /// The status is necessary if this generation, a section of the trace that can be read without
  /// the earlier records, does not contain it yet.
  ///
  /// - Parameters:
  ///   - record: The record to write.
  ///   - thread: The calling thread.
  ///   - slot: The slot of the entity that `record.id` identifies, or nil if the record is not
  ///     about an entity.
  ///   - isCreation: Whether the record itself contains what a status would.
  ///   - isEvent: Whether the record is left out if the separate level of its place, or otherwise
  ///     the overall level, is below `events`. The caller has already checked that the level of the
  ///     thread is at least `events`.
  @inline(__always)
  func write(
    _ record: PendingRecord,
    _ thread: ThreadState,
    about slot: UnsafeMutableRawPointer? = nil,
    isCreation: Bool = false,
    isEvent: Bool = false
  ) {
    // The usual case: there is room in the thread's own segment, no limit is reached, and no other
    // record has to come first.
    if let cursor = thread.pointee.cursor, let end = thread.pointee.end,
      let segment = thread.pointee.segment, end - cursor >= Self.longest * Layout.Record.byteCount,
      thread.pointee.time < thread.pointee.time_limit, thread.pointee.dropped == 0,
      isCreation || hasStatus(slot, thread, isEvent)
    {
      if isCreation, let slot { noteStatus(slot, thread) }
      var place = RecordCursor(segment: segment, position: cursor, base: thread.pointee.base)
      place.append(record, at: thread.pointee.time)
      place.publish()
      thread.pointee.cursor = place.position.assumingMemoryBound(to: UInt8.self)
      return
    }
    if isEvent, level(of: slot, thread) < TraceLevel.events.rawValue { return }
    writeSlowly(record, thread, about: slot, isCreation: isCreation)
  }

  /// A cursor for several records that are published together; nil if the slow path has to be
  /// taken.
  ///
  /// The caller writes only about entities whose status is in this generation, checks that there is
  /// room, and calls ``finish(_:_:)`` at the end.
  @inline(__always)
  func ownRun(_ thread: ThreadState) -> RecordCursor? {
    guard let cursor = thread.pointee.cursor, let segment = thread.pointee.segment,
      thread.pointee.time < thread.pointee.time_limit, thread.pointee.dropped == 0
    else { return nil }
    return RecordCursor(segment: segment, position: cursor, base: thread.pointee.base)
  }

  /// Whether there is room for the maximum number of records that any call writes.
  @inline(__always)
  func hasRoom(_ place: RecordCursor, _ thread: ThreadState) -> Bool {
    guard let end = thread.pointee.end else { return false }
    return UnsafeMutableRawPointer(end) - place.position >= Self.longest * Layout.Record.byteCount
  }

  @inline(__always)
  func finish(_ place: RecordCursor, _ thread: ThreadState) {
    place.publish()
    thread.pointee.cursor = place.position.assumingMemoryBound(to: UInt8.self)
  }

  /// Whether an entity needs no status record, and its place has no separate level that would have
  /// to be checked.
  @inline(__always)
  private func hasStatus(
    _ slot: UnsafeMutableRawPointer?,
    _ thread: ThreadState,
    _ isEvent: Bool
  ) -> Bool {
    guard let slot else { return !isEvent }
    guard isEvent else { return isStatusKnown(slot, thread) }
    return Layout.Slot.statusGeneration.relaxed(at: slot) == thread.pointee.event_generation
  }

  @inline(never)
  private func writeSlowly(
    _ record: PendingRecord,
    _ thread: ThreadState,
    about slot: UnsafeMutableRawPointer?,
    isCreation: Bool
  ) {
    if thread.pointee.time >= thread.pointee.time_limit { limitReached(thread) }
    guard let cursor = ownCursor(thread) else {
      return writeShared(record, thread, about: slot, isCreation: isCreation)
    }
    let position = append(record, thread, cursor, thread.pointee.time, slot, isCreation)
    position.publish()
    thread.pointee.cursor = position.position.assumingMemoryBound(to: UInt8.self)
  }

  // MARK: The thread's own segment

  /// The position at which the thread writes, with room for the records of any call; nil if the
  /// thread cannot have a segment.
  private func ownCursor(_ thread: ThreadState) -> RecordCursor? {
    let needed = Self.longest * Layout.Record.byteCount
    if let cursor = thread.pointee.cursor, let end = thread.pointee.end,
      let segment = thread.pointee.segment
    {
      if end - cursor >= needed {
        return RecordCursor(segment: segment, position: cursor, base: thread.pointee.base)
      }
    }
    guard thread.pointee.phase == 1 else { return nil }
    let new = newCursor(thread)
    drain()
    guard var new else { return nil }
    if tail.updateNews() { new.append(tail.news, at: thread.pointee.time) }
    return new
  }

  private func newCursor(_ thread: ThreadState) -> RecordCursor? {
    var new: RecordCursor?
    withFreeSegment { mayRecycle in
      if let segment = thread.pointee.segment {
        pool.seal(segment, isFull: true)
        dropSegment(thread)
      }
      guard pool.hasRoomForThread else { return true }
      // A thread that has written before does not continue in an older segment while unused ones
      // are left: a reader, which reads the segments one after the other, relies on a thread's
      // later records being in a segment with a higher epoch (the number of its assignment).
      tick(thread)
      if thread.pointee.generation == 0 || !pool.hasUnused,
        let (cursor, time) = pool.adopt(at: thread.pointee.time)
      {
        // The shared segment may have a higher epoch than this one. So the time must be later than
        // that of any record of this thread in the shared segment.
        advance(thread, to: time)
        var cursor = cursor
        cursor.append(
          PendingRecord(.threadSwitched, thread.pointee.thread_id),
          at: thread.pointee.time
        )
        own(cursor, thread)
        new = cursor
        return true
      }
      let id = thread.pointee.thread_id
      // A thread without a row in the thread table writes into the shared segment with thread
      // number 0. An ending thread uses the shared segment, too.
      guard id != 0 else { return true }
      guard mayRecycle || !pool.isUsedUp else { return false }
      // The clock is read first: no record of an earlier generation may be later than the beginning
      // of a new one.
      tick(thread)
      new = pool.take(thread: id, base: thread.pointee.time)
      if let new {
        segmentTaken(at: thread.pointee.time)
        own(new, thread)
      }
      return true
    }
    return new
  }

  private func own(_ cursor: RecordCursor, _ thread: ThreadState) {
    thread.pointee.segment = cursor.segment.assumingMemoryBound(to: UInt8.self)
    thread.pointee.cursor = cursor.position.assumingMemoryBound(to: UInt8.self)
    thread.pointee.end = thread.pointee.segment.map { $0 + Layout.Segment.size }
    thread.pointee.base = cursor.base
    updateTimeLimit(thread)
    noteGeneration(pool.generation(of: cursor.segment), thread)
  }

  // MARK: The shared segment

  private func writeShared(
    _ record: PendingRecord,
    _ thread: ThreadState,
    about slot: UnsafeMutableRawPointer?,
    isCreation: Bool
  ) {
    var hasPending = false
    withFreeSegment { mayRecycle in
      let state = pool.state
      var time = max(thread.pointee.time, state.pointee.sharedTime)
      guard var cursor = sharedCursor(&time, thread, mayRecycle) else {
        if !mayRecycle, pool.isUsedUp { return false }
        countDropped(thread)
        return true
      }
      state.pointee.sharedTime = time
      noteGeneration(pool.generation(of: cursor.segment), thread)
      if state.pointee.sharedThread != thread.pointee.thread_id {
        cursor.append(PendingRecord(.threadSwitched, thread.pointee.thread_id), at: time)
        state.pointee.sharedThread = thread.pointee.thread_id
      }
      cursor = append(record, thread, cursor, time, slot, isCreation)
      cursor.publish()
      state.pointee.shared = cursor
      hasPending = pool.hasPending
      return true
    }
    if hasPending { drain() }
  }

  /// The position at which all threads without a segment write, with room for the records of any
  /// call.
  ///
  /// Requires the pool's lock.
  private func sharedCursor(
    _ time: inout UInt64,
    _ thread: ThreadState,
    _ mayRecycle: Bool
  ) -> RecordCursor? {
    let state = pool.state
    if let cursor = state.pointee.shared {
      let left = Layout.Segment.size - (cursor.position - cursor.segment)
      let isFull = left < Self.longest * Layout.Record.byteCount
      let generation = pool.generation(of: cursor.segment)
      let isLate = time &- cursor.base >= Layout.Record.deltaLimit
      if !isFull, !isLate, generation == state.pointee.generation { return cursor }
      state.pointee.shared = nil
      pool.seal(cursor.segment, isFull: isFull, ofThread: false)
    }
    guard mayRecycle || !pool.isUsedUp else { return nil }
    // The clock is read first, as for a thread's own segment.
    tick(thread)
    time = max(time, thread.pointee.time)
    // The header of a shared segment names no thread, so the first record has to be preceded by a
    // `thread` record.
    state.pointee.sharedThread = UInt32.max
    state.pointee.shared = pool.take(thread: 0, base: time)
    segmentTaken(at: time)
    if state.pointee.shared != nil, tail.updateNews() {
      state.pointee.shared?.append(tail.news, at: time)
    }
    return state.pointee.shared
  }

  // MARK: Both

  private func append(
    _ record: PendingRecord,
    _ thread: ThreadState,
    _ cursor: RecordCursor,
    _ time: UInt64,
    _ slot: UnsafeMutableRawPointer?,
    _ isCreation: Bool
  ) -> RecordCursor {
    var cursor = cursor
    if thread.pointee.dropped != 0 {
      let count = rxt_take_dropped(thread)
      cursor.append(PendingRecord(.recordsLost, count), at: time)
      Layout.Segment.lost.add(UInt64(count), at: cursor.segment)
    }
    if let slot {
      if !isCreation, !isStatusKnown(slot, thread) {
        cursor.append(status(record.id, slot), at: time)
      }
      noteStatus(slot, thread)
    }
    cursor.append(record, at: time)
    return cursor
  }

  /// A record of what has to be known about an entity by a reader that has not read the record of
  /// the entity's creation.
  private func status(_ id: UInt32, _ slot: UnsafeMutableRawPointer) -> PendingRecord {
    typealias Slot = Layout.Slot
    var record = PendingRecord(.entityStatus, id, Slot.site.relaxed(at: slot))
    let state = Slot.state.relaxed(at: slot)
    let kind = EntityKind(rawValue: Packing.kind(ofState: state)) ?? .none
    let countsSubscriptions = kind == .signal || kind == .owner
    record.continuations = 3
    record.more = (
      UInt64(state), Slot.serial.relaxed(at: slot),
      UInt64(Slot.link.relaxed(at: slot)), Slot.createdAt.relaxed(at: slot),
      UInt64(countsSubscriptions ? Slot.depth.relaxed(at: slot) : Slot.signal.relaxed(at: slot)),
      Slot.eventCount.relaxed(at: slot)
    )
    return record
  }
}
