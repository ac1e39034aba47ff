import CReactiveTraceShims

/// Ends that happen while recording is stopped.
///
/// The file must not change then, so the ends are applied to it when recording continues.
/// Otherwise, everything that ended in the meantime would appear to be a leak.
///
/// This type is `@unchecked Sendable` because the notes are accessed only by atomic operations.
struct PostponedEnds: @unchecked Sendable {
  private let notes: UnsafeMutablePointer<UInt32>
  let slotCount: Int

  /// Bits of a note.
  ///
  /// The reason of an end is stored above them.
  static var ended: UInt32 { 1 }
  static var released: UInt32 { 2 }
  /// Nothing holds the subscription any more, but it may not have ended.
  static var unheld: UInt32 { 4 }
  static var reasonShift: UInt32 { 8 }

  init(slotCount: Int) throws(TraceError) {
    self.slotCount = slotCount
    notes = try PrivateMemory.allocate(UInt32.self, count: slotCount)
  }

  func note(_ bits: UInt32, slot: UInt32) {
    let place = notes + Int(slot)
    var seen = rxt_load_relaxed_u32(place)
    while !rxt_compare_exchange_u32(place, seen, seen | bits) { seen = rxt_load_relaxed_u32(place) }
  }

  /// Returns and clears the note about a slot.
  func take(slot: Int) -> UInt32 {
    let place = notes + slot
    var note = rxt_load_relaxed_u32(place)
    // Another thread may add a note at the same time.
    while note != 0, !rxt_compare_exchange_u32(place, note, 0) {
      note = rxt_load_relaxed_u32(place)
    }
    return note
  }
}
