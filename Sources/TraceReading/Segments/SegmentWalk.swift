/// Finds the records in a piece of a segment (TraceFormat §5).
///
/// A slot is the 16 bytes of a record or of a continuation.
enum SegmentWalk {
  /// What is wrong with bytes of a piece; something must have overwritten these bytes.
  enum Flaw {
    case loneContinuation
    case appendedToNothing
    case missingContinuations(RecordKind, found: Int, of: Int)
    case noKind(Int)
  }

  /// Where a flaw is.
  struct Place {
    /// The slot, counted from the first of the piece.
    var slot: Int
    /// The number of slots that are skipped.
    var count: Int
    /// Whether the last reported record ends here, and has to be discarded, because its last bytes
    /// may be damaged, too.
    var isBehindRecord: Bool
  }

  /// What precedes a slot.
  private enum Before {
    case nothing, record, laterKind, damage
  }

  /// Calls `record` with the slot, the two words and the kind of each record, until it returns
  /// false.
  ///
  /// A batch is a record whose continuations stand for further records. For each of these, `record`
  /// receives the slot and the second word of its continuation, and the first word and the kind of
  /// the batch. Everything else is skipped, and `flaw` receives the reason if something is wrong
  /// with it.
  ///
  /// - Parameters:
  ///   - bytes: Whole slots of 16 bytes; an incomplete slot at the end is ignored.
  ///   - hasLaterKinds: Whether a later minor version wrote them, so that there may be unknown
  ///     kinds.
  ///   - record: Receives the slot, counted from the first of the piece. For a record whose
  ///     continuations are missing, the slot is -1, and only the time is meaningful. Returns false
  ///     to stop before the record.
  ///   - flaw: Receives the flaws, in ascending order of slots.
  /// - Returns: The number of slots that were processed.
  @inline(__always)
  static func walk(
    _ bytes: UnsafeRawBufferPointer,
    hasLaterKinds: Bool,
    record: (_ slot: Int, _ head: UInt64, _ body: UInt64, _ raw: Int) -> Bool,
    flaw: (Place, Flaw) -> Void
  ) -> Int {
    let size = Layout.Record.byteCount
    let count = bytes.count / size
    guard let base = bytes.baseAddress else { return 0 }
    let table = RecordKindTable.shared
    let (known, continuations) = (table.count, table.continuations)
    let continuation = Int(RecordKind.continuation.rawValue)
    let (batch, appended) = (Self.batch, Self.appended)
    var slot = 0
    var before = Before.nothing
    var lastKind = RecordKind.continuation
    while slot < count {
      let here = base + slot &* size
      let head = Layout.Record.head.load(from: here)
      let raw = Int(Packing.kind(ofHead: head))
      guard raw < known, continuations[raw] >= 0, raw != continuation else {
        if raw == continuation ? before == .laterKind : hasLaterKinds && isPossible(raw) {
          // This is a record of an unknown kind, or a continuation of one, of which there may be
          // any number.
          before = .laterKind
        } else {
          let place = Place(slot: slot, count: 1, isBehindRecord: before == .record)
          flaw(place, raw == continuation ? .loneContinuation : .noKind(raw))
          before = .damage
        }
        slot &+= 1
        continue
      }
      if raw == appended, before != .nothing, before != .record || lastKind != .signalCreated {
        // The signal upstream is unknown.
        flaw(Place(slot: slot, count: 1, isBehindRecord: before == .record), .appendedToNothing)
        before = .damage
        slot &+= 1
        continue
      }
      let wanted = Int(continuations[raw])
      if wanted > 0 {
        var found = 0
        while found < wanted, slot &+ 1 &+ found < count,
          Int(Packing.kind(ofHead: Layout.Record.head.load(from: here + (found &+ 1) &* size)))
            == continuation
        { found &+= 1 }
        guard found == wanted else {
          // The time of the record still decides whether the walk stops before it.
          guard record(-1, head, 0, raw) else { return slot }
          flaw(
            Place(slot: slot, count: 1 &+ found, isBehindRecord: before == .record),
            .missingContinuations(table.kinds[raw], found: found, of: wanted)
          )
          before = .damage
          slot &+= 1 &+ found
          continue
        }
      }
      before = .record
      lastKind = table.kinds[raw]
      guard record(slot, head, Layout.Record.body.load(from: here), raw) else { return slot }
      slot &+= 1 &+ wanted
      guard raw == batch else { continue }
      while slot < count, isContinuation(base + slot &* size) {
        let body = Layout.Record.body.load(from: base + slot &* size)
        guard record(slot, head, body, raw) else { return slot }
        slot &+= 1
      }
    }
    return slot
  }

  private static let batch = Int(ShortRecordKind.stagesSubscribed.rawValue)
  private static let appended = Int(ShortRecordKind.signalAppended.rawValue)

  @inline(__always)
  static func isContinuation(_ slot: UnsafeRawPointer) -> Bool {
    Packing.kind(ofHead: Layout.Record.head.load(from: slot)) == RecordKind.continuation.rawValue
  }

  /// Whether the record in a slot depends on the signal that the one before it created.
  static func isAppended(_ slot: UnsafeRawPointer) -> Bool { raw(slot) == appended }

  /// Whether the record in a slot creates a signal.
  static func createsSignal(_ slot: UnsafeRawPointer) -> Bool {
    let (raw, table) = (raw(slot), RecordKindTable.shared)
    return raw < table.count && table.kinds[raw] == .signalCreated
  }

  private static func raw(_ slot: UnsafeRawPointer) -> Int {
    Int(Packing.kind(ofHead: Layout.Record.head.load(from: slot)))
  }

  /// Whether a later minor version may have such a kind.
  private static func isPossible(_ raw: Int) -> Bool {
    raw > 0 && raw < Layout.Record.kindLimit
  }

  /// What all records of a piece have in common.
  struct Origin {
    var epoch: UInt64
    var baseTicks: UInt64
    var generation: UInt64
    /// Where the piece begins in its segment.
    var firstSlot: Int
    /// The thread of the first record, unless that record switches threads.
    var thread: UInt32
    /// Whether a later minor version wrote the file, so that there may be unknown kinds.
    var hasLaterKinds: Bool
    /// The numbers from which the serials of entities in short records are computed.
    var serials: SerialBase
    /// The signal created by the record before the piece; 0 if that record created none.
    var signal: UInt32 = 0
  }

  /// Decodes at most `limit` records of a piece into uninitialized memory and returns how many
  /// there were.
  static func decode(
    _ bytes: UnsafeRawBufferPointer,
    _ origin: Origin,
    into records: UnsafeMutablePointer<TraceRecord>,
    limit: Int
  ) -> Int {
    guard let base = bytes.baseAddress, limit > 0 else { return 0 }
    let table = RecordKindTable.shared
    let switched = Int(RecordKind.threadSwitched.rawValue)
    let number = Packing.recordNumber(epoch: origin.epoch, index: origin.firstSlot)
    var thread = origin.thread
    var signal = origin.signal
    var count = 0
    _ = walk(bytes, hasLaterKinds: origin.hasLaterKinds) { slot, head, body, raw in
      guard slot >= 0 else { return true }
      guard count < limit else { return false }
      var record = TraceRecord()
      record.number = number &+ UInt64(slot)
      let (ticks, overflow) = origin.baseTicks.addingReportingOverflow(Packing.delta(ofHead: head))
      record.ticks = overflow ? .max : ticks
      record.kind = table.kinds[raw]
      record.id = Packing.low(body)
      record.argument = Packing.high(body)
      record.generation = origin.generation
      if raw == switched { thread = record.id }
      record.thread = thread
      if table.areShort[raw] {
        let place = base + slot &* Layout.Record.byteCount
        if raw == batch, isContinuation(place), count > 0 {
          record.continueBatch(place, after: records[count &- 1], origin.serials)
        } else {
          record.expand(raw, place, upstream: signal, origin.serials)
        }
      } else {
        let more = Int(table.continuations[raw])
        record.length = UInt8(truncatingIfNeeded: 1 &+ more)
        if more > 0 { record.more = self.more(base + (slot &+ 1) &* 16, count: more) }
      }
      signal = record.kind == .signalCreated ? record.id : 0
      (records + count).initialize(to: record)
      count &+= 1
      return true
    } flaw: { place, _ in
      if place.isBehindRecord { count &-= 1 }
      // The thread of the following records is unknown, because the record that switched to it may
      // have been among the damaged slots.
      thread = 0
    }
    return count
  }

  typealias More = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  /// Decodes the values of continuations, which must be present.
  @inline(__always)
  static func more(_ first: UnsafeRawPointer, count: Int) -> More {
    func values(_ index: Int) -> (UInt64, UInt64) {
      let here = first + index &* Layout.Record.byteCount
      return (
        Packing.delta(ofHead: Layout.Record.head.load(from: here)),
        Layout.Record.body.load(from: here)
      )
    }
    var more: More = (0, 0, 0, 0, 0, 0)
    (more.0, more.1) = values(0)
    if count > 1 { (more.2, more.3) = values(1) }
    if count > 2 { (more.4, more.5) = values(2) }
    return more
  }
}
