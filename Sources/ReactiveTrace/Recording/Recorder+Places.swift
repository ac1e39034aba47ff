import CReactiveTraceShims
import TracePlatform

/// Levels of chosen places.
///
/// The path of an event asks for no place. Before it writes, it compares the generation in the slot with that of the thread, and leaves the rest to
/// a slower way where they differ. So the slots of sites with a level of their own bear a mark in the two highest bits of that number, which is not
/// looked at where the level of the whole is enough.
extension Recorder {
  /// The level of the place of a site that is met for the first time; nil where it has none of its own.
  func level(atPlaceOf key: SiteKey) -> TraceLevel? {
    guard placeLevel != 0 else { return nil }
    return details.pointee.options.placeLevel(fileID: key.file.description, line: key.line)
  }

  /// The level at which the thread records what is in a slot, or what is about nothing.
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

  /// The level of the place of what is in a slot; `whole` where it has none of its own.
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

  /// Whether the description of a failure, which is of no place, is recorded.
  func isFailureDescribed(_ thread: ThreadState) -> Bool {
    describesFailures && thread.pointee.level != 0
      && ControlWord.level(thread.pointee.seen) >= TraceLevel.values.rawValue
  }

  // MARK: Generations

  /// Bits of `generation` in a slot that say what level its place has: none of its own, one with events, or one without.
  private static var eventsMark: UInt32 { 1 << 30 }
  private static var graphMark: UInt32 { 1 << 31 }
  private static var markBits: UInt32 { 2 }

  /// The thread writes into a segment of that generation.
  @inline(__always)
  func noteGeneration(_ generation: UInt64, _ thread: ThreadState) {
    thread.pointee.generation =
      UInt32(truncatingIfNeeded: generation) & ~(Self.eventsMark | Self.graphMark)
    noteEventGeneration(thread)
  }

  /// Where the whole records events, those of places with none take the slower way, and find that there is nothing to do; where it does not,
  /// those of places with events are recorded without asking, and all others take the slower way.
  func noteEventGeneration(_ thread: ThreadState) {
    let isEnough =
      placeLevel == 0 || ControlWord.level(thread.pointee.seen) >= TraceLevel.events.rawValue
    thread.pointee.event_generation = thread.pointee.generation | (isEnough ? 0 : Self.eventsMark)
  }

  /// Whether what a record is about is known in the generation that the thread writes into.
  @inline(__always)
  func isStatusKnown(_ slot: UnsafeMutableRawPointer, _ thread: ThreadState) -> Bool {
    let stored = Layout.Slot.statusGeneration.relaxed(at: slot)
    let written = thread.pointee.generation
    return stored == written || placeLevel != 0 && (stored ^ written) << Self.markBits == 0
  }

  /// Notes that it is.
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
