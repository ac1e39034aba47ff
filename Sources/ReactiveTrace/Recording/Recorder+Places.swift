import CReactiveTraceShims
import TracePlatform

/// Levels of chosen places.
///
/// The event path does not check places. Before it writes, it compares the generation in the slot
/// with that of the thread, and if they differ, takes a slower path. So the slots of sites with a
/// separate level have a mark in the two highest bits of that number, which is ignored where only
/// the status matters.
extension Recorder {
  /// The level of the place of a site that is seen for the first time; nil if it has no separate
  /// level.
  func level(atPlaceOf key: SiteKey) -> TraceLevel? {
    guard placeLevel != 0 else { return nil }
    return details.pointee.options.placeLevel(fileID: key.file.description, line: key.line)
  }

  /// The level at which the thread records the entity in a slot, or records without an entity.
  @inline(__always)
  func level(of slot: UnsafeMutableRawPointer?, _ thread: ThreadState) -> UInt32 {
    placeLevel == 0 ? thread.pointee.level : levelAtPlace(of: slot, thread)
  }

  @inline(never)
  private func levelAtPlace(of slot: UnsafeMutableRawPointer?, _ thread: ThreadState) -> UInt32 {
    guard thread.pointee.level != 0 else { return 0 }
    let whole = ControlWord.level(thread.pointee.seen)
    return slot.map { level(atPlaceOf: $0, else: whole) } ?? whole
  }

  /// The level of the place of the entity in a slot; `whole` if it has no separate level.
  func level(atPlaceOf slot: UnsafeMutableRawPointer, else whole: UInt32) -> UInt32 {
    guard placeLevel != 0 else { return whole }
    let own = sites.level(Layout.Slot.site.relaxed(at: slot))
    return own == 0 ? whole : own
  }

  /// Whether the level of the place of a subscription allows for its values now.
  func mayDescribe(_ subscription: TraceID, _ thread: ThreadState) -> Bool {
    placeLevel == 0
      || level(of: slab.liveSlot(subscription), thread) >= TraceLevel.values.rawValue
  }

  /// Whether the description of a failure, which belongs to no place, is recorded.
  func isFailureDescribed(_ thread: ThreadState) -> Bool {
    describesFailures && thread.pointee.level != 0
      && ControlWord.level(thread.pointee.seen) >= TraceLevel.values.rawValue
  }

  // MARK: Generations

  /// Bits of `generation` in a slot for the level of its place: no separate level, one with events,
  /// or one without.
  private static var eventsMark: UInt32 { 1 << 30 }
  private static var graphMark: UInt32 { 1 << 31 }
  private static var markBits: UInt32 { 2 }

  /// Notes the generation of the segment that the thread writes into.
  @inline(__always)
  func noteGeneration(_ generation: UInt64, _ thread: ThreadState) {
    thread.pointee.generation =
      UInt32(truncatingIfNeeded: generation) & ~(Self.eventsMark | Self.graphMark)
    noteEventGeneration(thread)
  }

  /// Sets the generation that the slots of subscriptions recorded without a check have.
  ///
  /// If the overall level records events, places with a separate level take the slower path, and
  /// those without events find there that there is nothing to do.
  ///
  /// If it does not, places with events are recorded without a check, and
  /// all others take the slower path.
  func noteEventGeneration(_ thread: ThreadState) {
    let isEnough =
      placeLevel == 0 || ControlWord.level(thread.pointee.seen) >= TraceLevel.events.rawValue
    thread.pointee.event_generation = thread.pointee.generation | (isEnough ? 0 : Self.eventsMark)
  }

  /// Whether the generation that the thread writes into contains the status of the entity.
  @inline(__always)
  func isStatusKnown(_ slot: UnsafeMutableRawPointer, _ thread: ThreadState) -> Bool {
    let stored = Layout.Slot.statusGeneration.relaxed(at: slot)
    let written = thread.pointee.generation
    return stored == written || placeLevel != 0 && (stored ^ written) << Self.markBits == 0
  }

  /// Notes that it does.
  @inline(__always)
  func noteStatus(_ slot: UnsafeMutableRawPointer, _ thread: ThreadState) {
    let mark = placeLevel == 0 ? 0 : mark(of: slot)
    Layout.Slot.statusGeneration.setRelaxed(thread.pointee.generation | mark, at: slot)
  }

  @inline(never)
  private func mark(of slot: UnsafeMutableRawPointer) -> UInt32 {
    switch sites.level(Layout.Slot.site.relaxed(at: slot)) {
    case 0: 0
    case TraceLevel.graph.rawValue: Self.graphMark
    default: Self.eventsMark
    }
  }
}
