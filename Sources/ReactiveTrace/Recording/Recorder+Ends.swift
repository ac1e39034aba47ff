import CReactiveTraceShims
import TracePlatform

/// The end and the release of subscriptions. Every method must be called by a thread that has
/// called ``Recorder/enter()``.
///
/// A *stage* is the subscription to one signal of a chain of operators. A *scope* identifies the
/// stages that end together.
extension Recorder {
  /// A completion or a failure that ends subscriptions.
  struct Terminal {
    var kind: RecordKind
    var argument: UInt32 = 0
  }

  // MARK: Ends

  /// Ends a stage, together with the stages downstream of it in its scope.
  ///
  /// A stage is ended by one caller only, because a scope ends once.
  func ended(
    _ thread: ThreadState,
    _ last: TraceID,
    _ reason: EndReason,
    _ tearDown: TearDown = TearDown(.unknown, .none, from: 0),
    _ terminal: Terminal? = nil
  ) {
    // Records are written first. Until the stages have ended in the slab, too, they cannot be
    // released.
    if thread.pointee.level != 0 { writeEnds(thread, last, reason, tearDown, terminal) }
    var rest = last
    while rest != .none { rest = endSome(thread, rest, reason) }
    if thread.pointee.release_count != 0 { flushReleases(thread) }
  }

  /// Writes a record of the cause, and then, for each stage, records of its end and, if nothing
  /// holds it, of its release.
  @inline(__always)
  private func writeEnds(
    _ thread: ThreadState,
    _ last: TraceID,
    _ reason: EndReason,
    _ tearDown: TearDown,
    _ terminal: Terminal?
  ) {
    guard let slot = activeSlot(last) else { return }
    let cause = record(of: tearDown, thread, last, reason)
    if terminal == nil, reason == .cancelled,
      let kind = ShortRecordKind(endOf: last, asSaidBy: cause),
      activeSlot(slab.stages.next(slab.index(last))) == nil
    {
      return writeOnlyEnd(PendingRecord(kind, last.rawValue, cause.argument), thread, slot)
    }
    write(cause, thread)
    var written = WrittenTearDown(cause, thread)
    var next = last
    var release = PendingReleases(thread)
    while next != .none {
      next = writeSomeEnds(thread, next, reason, terminal, &release)
      guard let slot = activeSlot(next) else { break }
      next = writeEnd(thread, next, slot, reason, terminal, &written, &release)
    }
    release.finish(thread)
  }

  /// Writes as many ends as there is room for in the thread's segment, and publishes them together:
  /// the usual case.
  ///
  /// Returns the first of the remaining ones.
  @inline(__always)
  private func writeSomeEnds(
    _ thread: ThreadState,
    _ first: TraceID,
    _ reason: EndReason,
    _ terminal: Terminal?,
    _ release: inout PendingReleases
  ) -> TraceID {
    guard var place = ownRun(thread) else { return activeSlot(first) == nil ? .none : first }
    let time = thread.pointee.time
    var next = first
    while let slot = activeSlot(next) {
      guard isStatusKnown(slot, thread),
        hasRoom(place, thread)
      else {
        finish(place, thread)
        return next
      }
      let id = next
      let index = slab.index(id)
      next = slab.stages.next(index)
      if let terminal {
        noteTerminal(thread, slot)
        place.append(PendingRecord(terminal.kind, id.rawValue, terminal.argument), at: time)
      }
      place.append(PendingRecord(.ended, id.rawValue, reason.rawValue), at: time)
      if release.isUnheld(id, index, in: slab.stages) {
        place.append(PendingRecord(.subscriptionReleased, id.rawValue), at: time)
        slab.stages.setReleaseWritten(index)
      }
    }
    finish(place, thread)
    return .none
  }

  /// Writes one end, in the general case.
  ///
  /// Returns the next stage.
  @inline(never)
  private func writeEnd(
    _ thread: ThreadState,
    _ id: TraceID,
    _ slot: UnsafeMutableRawPointer,
    _ reason: EndReason,
    _ terminal: Terminal?,
    _ written: inout WrittenTearDown,
    _ release: inout PendingReleases
  ) -> TraceID {
    let index = slab.index(id)
    if let terminal {
      noteTerminal(thread, slot)
      let record = PendingRecord(terminal.kind, id.rawValue, terminal.argument)
      write(record, thread, about: slot)
    }
    // The record of the cause must be repeated if the end will be written to another segment,
    // because such a record only applies to ends in the same segment.
    if written.isElsewhere(thread) || !(ownRun(thread).map { hasRoom($0, thread) } ?? false) {
      write(written.record, thread)
      written.isHere(thread)
    }
    write(PendingRecord(.ended, id.rawValue, reason.rawValue), thread, about: slot)
    if release.isUnheld(id, index, in: slab.stages) {
      write(PendingRecord(.subscriptionReleased, id.rawValue), thread, about: slot)
      slab.stages.setReleaseWritten(index)
    }
    return slab.stages.next(index)
  }

  @inline(__always)
  private func noteTerminal(_ thread: ThreadState, _ slot: UnsafeMutableRawPointer) {
    Layout.Slot.lastEventAt.setRelaxed(thread.pointee.time, at: slot)
    thread.pointee.delivered = 1
  }

  @inline(__always)
  private func activeSlot(_ id: TraceID) -> UnsafeMutableRawPointer? {
    guard let slot = slab.liveSlot(id, .subscription),
      slab.state(at: slot) != EntityState.ended.rawValue
    else { return nil }
    return slot
  }

  /// Marks some stages as ended in slots and counters, and returns the first of the remaining ones.
  ///
  /// Only some at a time, because the lock must be held briefly.
  @inline(__always)
  private func endSome(_ thread: ThreadState, _ first: TraceID, _ reason: EndReason) -> TraceID {
    var next = first
    var left = 16
    // Linked lists of the subscriptions that nothing holds any more, and of the signals to which
    // only the ended subscriptions referred.
    var unheld = TraceID.none
    var outlived = TraceID.none
    slab.lock.lock()
    while left > 0, let slot = activeSlot(next) {
      let id = next
      let index = slab.index(id)
      next = slab.stages.next(index)
      left -= 1
      let isReleased = slab.stages.isReleaseWritten(index)
      end(thread, slot, reason, isReleased: isReleased, &outlived)
      if isReleased {
        slab.freePlain(slot)
      } else if slab.stages.isUnheld(index) {
        // This thread holds it until it is released, so that no other thread releases it.
        slab.stages.addHolders(1, index)
        slab.stages.setNext(unheld, index)
        unheld = id
      }
    }
    slab.lock.unlock()
    if unheld != .none { release(thread, all: unheld) }
    if outlived != .none { release(thread, allSignals: outlived) }
    return left > 0 ? .none : next
  }

  /// Notes an end, and a release if that is due; requires the slab's lock.
  @inline(__always)
  private func end(
    _ thread: ThreadState,
    _ slot: UnsafeMutableRawPointer,
    _ reason: EndReason,
    isReleased: Bool,
    _ outlived: inout TraceID
  ) {
    let signal = TraceID(rawValue: Layout.Slot.signal.relaxed(at: slot))
    // The field is read only once, because another process may change it at any time.
    let site = Layout.Slot.site.relaxed(at: slot)
    // The first comparison avoids a look-up: a subscription with the site of its signal is not a
    // root.
    if let row = slab.liveSlot(signal, .signal),
      Layout.Slot.site.relaxed(at: row) == site || !sites.isRoot(site), oneSubscriptionLess(row),
      outlived != signal
    {
      slab.stages.setNext(outlived, slab.index(signal))
      outlived = signal
    }
    let owner = Layout.Slot.owner.relaxed(at: slot)
    if owner != 0 { oneFewer(ofOwner: TraceID(rawValue: owner)) }
    let time = thread.pointee.time
    let createdAt = Layout.Slot.createdAt.relaxed(at: slot)
    let lifetime = clock.nanoseconds(time > createdAt ? time - createdAt : 0)
    sites.countEnded(site, reason, lifetime: lifetime)
    if isReleased {
      sites.countReleased(site, events: Layout.Slot.eventCount.relaxed(at: slot))
    } else {
      slab.setState(.ended, at: slot)
    }
  }

  /// Counts a release and frees the slot; requires the slab's lock.
  @inline(__always)
  private func free(_ slot: UnsafeMutableRawPointer) {
    sites.countReleased(
      Layout.Slot.site.relaxed(at: slot),
      events: Layout.Slot.eventCount.relaxed(at: slot)
    )
    slab.freePlain(slot)
  }

  /// Notes the ends for later, while recording is stopped and the file must not change.
  func postponeEnds(_ thread: ThreadState, _ last: TraceID, _ reason: EndReason) {
    var next = last
    while activeSlot(next) != nil {
      let slot = slab.index(next)
      next = slab.stages.next(slot)
      postponed.note(
        PostponedEnds.ended | reason.rawValue << PostponedEnds.reasonShift,
        slot: UInt32(slot)
      )
    }
    applyPostponedIfResumed(thread)
  }

  // MARK: Releases

  /// Adds a holder to a subscription that already has one: a holder is code that may still report
  /// something about it.
  func hold(_ id: TraceID) {
    slab.lock.withLock {
      guard slab.liveSlot(id, .subscription) != nil else { return }
      slab.stages.addHolders(1, slab.index(id))
    }
  }

  /// Removes a holder of a subscription.
  ///
  /// The subscription is released if it has ended and this was the last holder; if this was the
  /// last holder but it has not ended, it is released at its end.
  @inline(__always)
  func release(_ thread: ThreadState, _ id: TraceID) {
    guard let slot = slab.liveSlot(id, .subscription) else { return }
    // Needs no lock: if the caller is the only holder of an ended subscription, nothing else refers
    // to it.
    if slab.state(at: slot) == EntityState.ended.rawValue, slab.stages.isHeldByOne(slab.index(id)) {
      return release(thread, id, slot)
    }
    let isLast = slab.lock.withLock {
      slab.stages.addHolders(-1, slab.index(id)) == 0
        && slab.state(at: slot) == EntityState.ended.rawValue
    }
    if isLast { release(thread, id, slot) }
  }

  /// Processes the releases that were noted when closures were freed during an end: removes the
  /// holders, and releases the subscriptions that have ended and have no holder left.
  @inline(never)
  func flushReleases(_ thread: ThreadState) {
    let count = Int(thread.pointee.release_count)
    let noted = rxt_releases(thread)
    let isFinal = isStopped(thread)
    // A linked list of those that have ended and have no holder left.
    var unheld = TraceID.none
    slab.lock.lock()
    for place in 0..<count {
      let id = TraceID(rawValue: noted[place])
      guard let slot = slab.liveSlot(id, .subscription) else { continue }
      let index = slab.index(id)
      guard slab.stages.addHolders(-1, index) == 0 else { continue }
      if isFinal {
        postponed.note(PostponedEnds.unheld, slot: UInt32(truncatingIfNeeded: index))
      } else if slab.state(at: slot) == EntityState.ended.rawValue {
        slab.stages.setNext(unheld, index)
        unheld = id
      }
    }
    slab.lock.unlock()
    thread.pointee.release_count = 0
    if isFinal { applyPostponedIfResumed(thread) }
    if unheld != .none { release(thread, all: unheld) }
  }

  /// Removes a holder while recording is stopped, and notes for later that nothing holds the
  /// subscription any more, if that is the case.
  func postponeRelease(_ thread: ThreadState, _ id: TraceID) {
    let isUnheld = slab.lock.withLock {
      slab.liveSlot(id, .subscription) != nil
        && slab.stages.addHolders(-1, slab.index(id)) == 0
    }
    guard isUnheld else { return }
    postponed.note(PostponedEnds.unheld, slot: UInt32(slab.index(id)))
    applyPostponedIfResumed(thread)
  }

  /// Releases a subscription if it has ended and nothing holds it.
  func releaseIfUnheld(_ thread: ThreadState, _ id: TraceID) {
    let slot = slab.lock.withLock { () -> UnsafeMutableRawPointer? in
      let index = slab.index(id)
      guard let slot = slab.liveSlot(id, .subscription),
        slab.state(at: slot) == EntityState.ended.rawValue, slab.stages.isUnheld(index)
      else { return nil }
      slab.stages.addHolders(1, index)
      return slot
    }
    if let slot { release(thread, id, slot) }
  }

  /// Ends a subscription if it has not ended, and releases it, whatever holds it.
  func subscriptionReleased(_ thread: ThreadState, _ id: TraceID) {
    guard let slot = slab.liveSlot(id, .subscription) else { return }
    if slab.state(at: slot) != EntityState.ended.rawValue { ended(thread, id, .cancelled) }
    // If the subscription has holders, its end has not released it, so it is released here.
    if slab.liveSlot(id, .subscription) != nil { release(thread, id, slot) }
  }

  @inline(never)
  private func release(_ thread: ThreadState, _ id: TraceID, _ slot: UnsafeMutableRawPointer) {
    if thread.pointee.level != 0 {
      write(PendingRecord(.subscriptionReleased, id.rawValue), thread, about: slot)
    }
    slab.lock.withLock { free(slot) }
  }

  @inline(never)
  private func release(_ thread: ThreadState, all first: TraceID) {
    var next = first
    while next != .none {
      let id = next
      next = slab.stages.next(slab.index(id))
      release(thread, id, slab.slot(id))
    }
  }

  @inline(never)
  private func release(_ thread: ThreadState, allSignals first: TraceID) {
    var next = first
    while next != .none {
      let id = next
      next = slab.stages.next(slab.index(id))
      releaseSignal(thread, id, slab.slot(id))
    }
  }
}
