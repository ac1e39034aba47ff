import CReactiveTraceShims
import TracePlatform

/// The separate levels of places in the source (``TraceOptions/Place``).
///
/// A generation is a section of the trace that can be read without the earlier records. The code
/// that records an event does not check places. It compares the number of the generation in the
/// entity's slot with that of the thread, and takes a slower path if they differ. So a slot whose
/// site has a separate level has a mark in the two highest bits of that number, which makes it
/// differ. The mark is ignored when only the status of the entity matters.
extension Recorder {
  /// The separate level of the place of a new site; nil if it has none.
  func level(atPlaceOf key: SiteKey) -> TraceLevel? {
    guard placeLevel != 0 else { return nil }
    return details.pointee.options.placeLevel(fileID: key.file.description, line: key.line)
  }

  /// The level at which the thread records the entity in a slot, or, if `slot` is nil, records that
  /// belong to no entity.
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

  /// The separate level of the place of the entity in a slot; `whole`, the overall level, if it has
  /// none.
  func level(atPlaceOf slot: UnsafeMutableRawPointer, else whole: UInt32) -> UInt32 {
    guard placeLevel != 0 else { return whole }
    let own = sites.level(Layout.Slot.site.relaxed(at: slot))
    return own == 0 ? whole : own
  }

  /// Whether the values of a subscription are recorded now, according to the level of its place.
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

  /// The marks in the generation of a slot: its place has a separate level with events, or one
  /// without.
  ///
  /// A slot without a mark has no separate level.
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

  /// Determines the generation, including the mark, of the slots whose events the thread records
  /// without checking the level of their place.
  ///
  /// If the overall level includes events, these are the slots without a mark. Those with a mark
  /// take the slower path, where it turns out whether their level includes events.
  ///
  /// If the overall level does not include events, these are the slots with the mark for events,
  /// and all others take the slower path.
  func noteEventGeneration(_ thread: ThreadState) {
    let isEnough =
      placeLevel == 0 || ControlWord.level(thread.pointee.seen) >= TraceLevel.events.rawValue
    thread.pointee.event_generation = thread.pointee.generation | (isEnough ? 0 : Self.eventsMark)
  }

  /// Whether the generation that the thread writes into already contains the status of the entity.
  @inline(__always)
  func isStatusKnown(_ slot: UnsafeMutableRawPointer, _ thread: ThreadState) -> Bool {
    let stored = Layout.Slot.statusGeneration.relaxed(at: slot)
    let written = thread.pointee.generation
    return stored == written || placeLevel != 0 && (stored ^ written) << Self.markBits == 0
  }

  /// Notes that this generation contains the status of the entity.
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
