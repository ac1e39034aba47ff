import CReactiveTraceShims
import TracePlatform

/// Owners: objects that end the subscriptions they hold when they end themselves. Every method must
/// be called by a thread that has called ``Recorder/enter()`` and has updated its cached time.
extension Recorder {
  func ownerCreated(_ thread: ThreadState, site: UInt32) -> TraceID {
    let scheduler = thread.pointee.scheduler_id
    let contents = Slab.Contents(
      kind: .owner,
      state: .active,
      scheduler: scheduler,
      site: site,
      createdAt: thread.pointee.time
    )
    let id = slab.lock.withLock { slab.allocate(contents) }
    guard id != .none else { return .none }
    Layout.Site.ownersCreated.add(1, at: sites.row(site))
    let slot = slab.slot(id)
    var record = PendingRecord(.ownerCreated, id.rawValue, site)
    record.continuations = 1
    record.more.0 = UInt64(scheduler)
    record.more.1 = Layout.Slot.serial.relaxed(at: slot)
    write(record, thread, about: slot, isCreation: true)
    return id
  }

  func ownerBound(_ thread: ThreadState, _ subscription: TraceID, _ owner: TraceID) {
    let slot = slab.lock.withLock { () -> UnsafeMutableRawPointer? in
      guard let slot = slab.liveSlot(subscription, .subscription),
        let ownerSlot = slab.liveSlot(owner, .owner),
        slab.state(at: slot) != EntityState.ended.rawValue
      else { return nil }
      let earlier = Layout.Slot.owner.relaxed(at: slot)
      if earlier == owner.rawValue { return nil }
      oneFewer(ofOwner: TraceID(rawValue: earlier))
      Layout.Slot.owner.setRelaxed(owner.rawValue, at: slot)
      Layout.Slot.eventCount.add(1, at: ownerSlot)
      Layout.Slot.depth.add(1, at: ownerSlot)
      Layout.Slot.lastEventAt.setRelaxed(thread.pointee.time, at: ownerSlot)
      return slot
    }
    guard let slot, thread.pointee.level != 0 else { return }
    write(PendingRecord(.ownerBound, subscription.rawValue, owner.rawValue), thread, about: slot)
  }

  func ownerHeld(
    _ thread: ThreadState,
    _ subscription: TraceID,
    _ site: UInt32,
    _ owner: TraceID,
    _ between: UInt32
  ) {
    guard thread.pointee.level != 0 else { return }
    var record = PendingRecord(.ownerHeld, subscription.rawValue, site)
    record.continuations = 1
    record.more = (UInt64(owner.rawValue), UInt64(between), 0, 0, 0, 0)
    write(record, thread, about: slab.slot(subscription))
  }

  func ownerEnded(_ thread: ThreadState, _ id: TraceID) {
    guard let slot = slab.liveSlot(id, .owner) else { return }
    if thread.pointee.level != 0 {
      write(PendingRecord(.ownerEnded, id.rawValue), thread, about: slot)
    }
    Layout.Site.ownersEnded.add(1, at: sites.row(Layout.Slot.site.relaxed(at: slot)))
    slab.lock.withLock { slab.free(slot) }
  }

  /// Notes that a subscription of an owner has ended, or has another owner now.
  ///
  /// Requires the slab's lock.
  func oneFewer(ofOwner id: TraceID) {
    guard let slot = slab.liveSlot(id, .owner) else { return }
    let held = Layout.Slot.depth.relaxed(at: slot)
    if held > 0 { Layout.Slot.depth.setRelaxed(held - 1, at: slot) }
  }
}
