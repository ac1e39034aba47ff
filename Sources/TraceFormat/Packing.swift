/// Packs several values into one word, and extracts them (TraceFormat §5 and §6).
///
/// Used by the recorder and by readers.
public enum Packing {
  // MARK: Records

  /// The first word of a record.
  @inlinable @inline(__always)
  public static func head(delta: UInt64, kind: UInt16) -> UInt64 {
    delta << Layout.Record.kindBits | UInt64(kind)
  }

  /// The number of the kind in the first word of a record; this package may not know the kind.
  @inlinable @inline(__always)
  public static func kind(ofHead head: UInt64) -> UInt16 { UInt16(truncatingIfNeeded: head) }

  /// The ticks since the segment's base; in a continuation, its first value.
  @inlinable @inline(__always)
  public static func delta(ofHead head: UInt64) -> UInt64 { head >> Layout.Record.kindBits }

  /// Two 32-bit values in one word, such as the body of a record, or a scheduler with a chain.
  @inlinable @inline(__always)
  public static func pair(high: UInt32, low: UInt32) -> UInt64 { UInt64(high) << 32 | UInt64(low) }

  /// The upper half of a ``pair(high:low:)``.
  @inlinable @inline(__always)
  public static func high(_ word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: word >> 32) }

  /// The lower half of a ``pair(high:low:)``.
  @inlinable @inline(__always)
  public static func low(_ word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: word) }

  /// The number of a record, which is its position and never changes.
  @inlinable
  public static func recordNumber(epoch: UInt64, index: Int) -> UInt64 {
    epoch << recordIndexBits | UInt64(truncatingIfNeeded: index)
  }

  /// The epoch of the segment and the index of the record in it.
  @inlinable
  public static func position(ofRecord number: UInt64) -> (epoch: UInt64, index: Int) {
    (number >> recordIndexBits, Int(number & (1 << recordIndexBits - 1)))
  }

  /// Bits of a record's number that are its index.
  @inlinable public static var recordIndexBits: UInt64 { 12 }

  // MARK: Slots

  /// The word with an entity's kind, state and scheduler.
  @inlinable @inline(__always)
  public static func state(_ kind: EntityKind, _ state: EntityState, scheduler: UInt32) -> UInt32 {
    kind.rawValue | state.rawValue << 8 | scheduler << 16
  }

  /// The raw kind in a state word.
  @inlinable @inline(__always)
  public static func kind(ofState word: UInt32) -> UInt32 { word & 0xFF }

  /// The raw state in a state word.
  @inlinable @inline(__always)
  public static func state(ofState word: UInt32) -> UInt32 { word >> 8 & 0xFF }

  /// The scheduler in a state word.
  @inlinable @inline(__always)
  public static func scheduler(ofState word: UInt32) -> UInt32 { word >> 16 }

  /// The row of a signal's argument in a state word, in the place of the scheduler.
  @inlinable @inline(__always)
  public static func argument(ofState word: UInt32) -> UInt32 { word >> 16 }

  /// The word that a signal has in place of an owner: the chain (asynchronous backtrace) in which
  /// its operator was called, and whether the program no longer refers to the signal.
  @inlinable @inline(__always)
  public static func made(in chain: UInt32, isOutlived: Bool) -> UInt32 {
    chain << 1 | (isOutlived ? 1 : 0)
  }

  /// The chain in a ``made(in:isOutlived:)``.
  @inlinable @inline(__always)
  public static func chain(ofMade word: UInt32) -> UInt32 { word >> 1 }

  /// The identifier of the entity in a slot: the slot's index, and above it the low bits of the
  /// serial.
  ///
  /// Entities that occupy the same slot one after the other have different serials, so nothing else
  /// has to be stored to distinguish them. Slot 0 is never used, so no identifier is zero.
  @inlinable @inline(__always)
  public static func identifier(slot: UInt32, serial: UInt64, slotBits: UInt32) -> TraceID {
    TraceID(rawValue: UInt32(truncatingIfNeeded: serial) << slotBits | slot)
  }

  /// A site and the row of a signal's argument in 32 bits; nil if they do not fit.
  @inlinable @inline(__always)
  public static func word(site: UInt32, argument: UInt32) -> UInt32? {
    site < 1 << 20 && argument < 1 << 12 ? site | argument << 20 : nil
  }

  /// The site in a ``word(site:argument:)``.
  @inlinable @inline(__always)
  public static func site(ofWord word: UInt32) -> UInt32 { word & (1 << 20 - 1) }

  /// The row of the argument in a ``word(site:argument:)``.
  @inlinable @inline(__always)
  public static func argument(ofWord word: UInt32) -> UInt32 { word >> 20 }

  /// The serial of an entity of which only the identifier is known: the lowest serial above `base`
  /// whose low bits are those in the identifier.
  @inlinable @inline(__always)
  public static func serial(of id: TraceID, after base: UInt64, slotBits: UInt32) -> UInt64 {
    let low = UInt64(id.rawValue >> slotBits)
    return base &+ 1 &+ ((low &- base &- 1) & (serialSpan(slotBits: slotBits) &- 1))
  }

  /// The number of consecutive serials with different identifiers in the same slot.
  @inlinable @inline(__always)
  public static func serialSpan(slotBits: UInt32) -> UInt64 { (1 as UInt64) << (32 - slotBits) }

  /// The slot's index in an identifier.
  @inlinable @inline(__always)
  public static func slot(of id: TraceID, slotBits: UInt32) -> UInt32 {
    id.rawValue & ((1 as UInt32) << slotBits &- 1)
  }
}
