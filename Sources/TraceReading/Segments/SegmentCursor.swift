/// What the indexer needs to know about the records of a piece of a segment, with a position among
/// them.
///
/// A cursor, with its memory, is reused for other pieces. A slot is the 16 bytes of a record or of
/// a continuation.
final class SegmentCursor: RecordHeapEntry {
  private(set) var stored = 0
  private(set) var start = 0
  private(set) var end = 0
  /// Where the next reading continues, in slots counted from the first stored one.
  private(set) var goneOver = 0
  private(set) var count = 0
  private(set) var generation: UInt64 = 0
  private(set) var isSorted = true
  /// The number of slots at the end of the piece that the file does not have.
  private(set) var missingSlots = 0
  /// Whether the piece contains impossible times.
  private(set) var hasWrongTimes = false
  /// Ranges of slots of the piece that are not records, each with what is wrong with its first
  /// slot.
  ///
  /// If there are too many to be listed, the last range extends over the rest.
  private(set) var damage: [(slots: Range<Int>, flaw: SegmentWalk.Flaw)] = []
  /// The thread of the last record.
  private(set) var lastThread: UInt32 = 0
  /// The signal that the last record created; 0 if it created none.
  private(set) var lastSignal: UInt32 = 0

  let ticks: UnsafeMutablePointer<UInt64>
  /// The slot of each record, from which its number is computed.
  private let slots: UnsafeMutablePointer<UInt16>
  /// The position of each record's kind in `RecordKind.allCases`.
  ///
  /// The continuations of a batch stand for further records. The highest bit is set for each of
  /// these records.
  private let places: UnsafeMutablePointer<UInt8>
  private var switches: [(record: Int, thread: UInt32)] = []
  private var firstThread: UInt32 = 0
  /// The threads of the first and the last record in order of time.
  private var outerThreads: (first: UInt32, last: UInt32) = (0, 0)
  private var firstNumber: UInt64 = 0
  private var firstSlot = 0

  /// The index of the record that comes next.
  private(set) var position = 0
  private(set) var key = RecordKey(ticks: 0, rank: 0, number: 0)

  /// The cursor of another segment in which the thread of this piece's last record continues, at
  /// exactly the time of that record.
  var continuation: SegmentCursor?

  /// The maximum number of damaged ranges that are listed.
  static let damageLimit = 16
  private static let capacity = Layout.Segment.size / Layout.Record.byteCount
  private static let isContinued: UInt8 = 0x80

  init() {
    ticks = .allocate(capacity: Self.capacity)
    slots = .allocate(capacity: Self.capacity)
    places = .allocate(capacity: Self.capacity)
  }

  deinit {
    ticks.deallocate()
    slots.deallocate()
    places.deallocate()
  }

  // MARK: Reading

  /// Reads a piece, and determines whether its segment is in order of time.
  func read(_ piece: RecordIndexer.Piece, _ index: inout RecordIndex) {
    let segment = index.stored[piece.stored]
    stored = piece.stored
    start = piece.start
    end = piece.end
    generation = segment.generation
    firstNumber = Packing.recordNumber(epoch: segment.epoch, index: segment.firstSlot)
    damage = []
    hasWrongTimes = false
    missingSlots = 0
    if segment.isSorted {
      firstThread = piece.thread
      firstSlot = piece.start
      index.pages.withBytes(of: segment, piece.start..<piece.end) { bytes in
        end = piece.start + walk(bytes, segment, piece.horizon)
        missingSlots = piece.end - piece.start - bytes.count / Layout.Record.byteCount
      }
      if piece.isNew { index.stored[piece.stored].keep(slots: end) }
      if !isSorted {
        index.stored[piece.stored].isSorted = false
        hasWrongTimes = true
      } else if count > 0, ticks[count - 1] &- segment.baseTicks >= Layout.Record.deltaLimit {
        hasWrongTimes = true
      }
    }
    goneOver = end
    if !index.stored[piece.stored].isSorted {
      sort(index.pages.sorted(index.stored[piece.stored]), piece, wasSorted: segment.isSorted)
    }
    position = 0
    setKey()
  }

  // MARK: Continuations

  /// The last cursor in its chain of continuations; the cursor itself if it has none.
  var last: SegmentCursor {
    var cursor = self
    while let next = cursor.continuation { cursor = next }
    return cursor
  }

  /// Whether the thread of its last record also wrote the first record of a later segment, at the
  /// same time.
  func isContinued(by other: SegmentCursor) -> Bool {
    outerThreads.last != 0 && outerThreads.last == other.outerThreads.first
      && ticks[count - 1] == other.ticks[0] && firstNumber < other.firstNumber
  }

  /// Removes and returns its continuation.
  func takeContinuation() -> SegmentCursor? {
    defer { continuation = nil }
    return continuation
  }

  private func walk(
    _ bytes: UnsafeRawBufferPointer,
    _ segment: StoredSegment,
    _ horizon: UInt64
  ) -> Int {
    let base = segment.baseTicks
    let table = RecordKindTable.shared
    let switched = Int(RecordKind.threadSwitched.rawValue)
    var (count, last, isSorted) = (0, UInt64(0), true)
    switches.removeAll(keepingCapacity: true)
    var thread = firstThread
    let batch = Int(ShortRecordKind.stagesSubscribed.rawValue)
    let created = table.places[Int(RecordKind.signalCreated.rawValue)]
    var signal: UInt32 = 0
    let gone = SegmentWalk.walk(bytes, hasLaterKinds: segment.hasLaterKinds) {
      slot,
      head,
      body,
      raw in
      let (sum, overflow) = base.addingReportingOverflow(Packing.delta(ofHead: head))
      let time = overflow ? .max : sum
      guard time <= horizon else { return false }
      guard slot >= 0, count < Self.capacity else { return true }
      ticks[count] = time
      slots[count] = UInt16(truncatingIfNeeded: slot)
      places[count] = table.places[raw]
      if raw == batch, let start = bytes.baseAddress,
        SegmentWalk.isContinuation(start + slot &* Layout.Record.byteCount)
      {
        places[count] |= Self.isContinued
      }
      signal = places[count] == created ? Packing.low(body) : 0
      if time < last { isSorted = false }
      last = time
      if raw == switched {
        thread = Packing.low(body)
        switches.append((count, thread))
      }
      count &+= 1
      return true
    } flaw: { place, flaw in
      if place.isBehindRecord {
        count &-= 1
        last = count > 0 ? ticks[count &- 1] : 0
      }
      // The thread of the following records is unknown, because the record that switched threads
      // may have been among the damaged slots.
      thread = 0
      signal = 0
      switches.append((count - 1, 0))
      note(flaw, place.slot..<(place.slot + place.count))
    }
    self.count = count
    self.isSorted = isSorted
    lastThread = thread
    lastSignal = signal
    outerThreads = (self.thread(of: 0), thread)
    return gone
  }

  private func note(_ flaw: SegmentWalk.Flaw, _ slots: Range<Int>) {
    if let last = damage.last?.slots,
      last.upperBound == slots.lowerBound || damage.count == Self.damageLimit
    {
      damage[damage.count - 1].slots = last.lowerBound..<slots.upperBound
    } else {
      damage.append((slots, flaw))
    }
  }

  /// Takes over records that had to be sorted; `slots` then contains indexes into these.
  private func sort(_ records: [TraceRecord], _ piece: RecordIndexer.Piece, wasSorted: Bool) {
    let table = RecordKindTable.shared
    let start = wasSorted ? 0 : piece.start
    let end = wasSorted ? records.count : min(piece.end, records.count)
    count = max(0, end - start)
    (self.start, self.end) = (start, max(start, end))
    switches.removeAll(keepingCapacity: true)
    firstSlot = start
    isSorted = false
    if count > 0 { outerThreads = (records[start].thread, records[end - 1].thread) }
    for place in 0..<count {
      let record = records[start + place]
      ticks[place] = record.ticks
      slots[place] = UInt16(truncatingIfNeeded: place)
      places[place] = table.places[Int(record.kind.rawValue)]
    }
  }

  // MARK: Advancing

  /// Advances to the first record that is not before `limit`, but by at least one record.
  func advance(to limit: RecordKey?) {
    guard let limit else { return finish() }
    if ticks[count - 1] < limit.ticks { return finish() }
    position += 1
    while position < count, ticks[position] < limit.ticks { position += 1 }
    setKey()
    while position < count, key < limit {
      position += 1
      setKey()
    }
  }

  private func finish() { position = count }

  private func setKey() {
    guard position < count else { return }
    key.ticks = ticks[position]
    key.rank = RecordKindTable.shared.ranks[Int(places[position] & ~Self.isContinued)]
    key.number = firstNumber &+ UInt64(firstSlot) &+ UInt64(slots[position])
  }

  // MARK: Records

  /// The slot of a record, counted from the first stored one; for the index after the last record,
  /// the end of the piece.
  func slot(of record: Int) -> UInt16 {
    record < count
      ? UInt16(truncatingIfNeeded: firstSlot + Int(slots[record]))
      : UInt16(truncatingIfNeeded: end)
  }

  /// The thread of a record, unless the record itself switches threads.
  func thread(of record: Int) -> UInt32 {
    guard !switches.isEmpty else { return firstThread }
    return switches.last { $0.record < record }?.thread ?? firstThread
  }

  /// Whether a record is stored as a continuation of a batch, so that it has to be in the same
  /// block as the record before it.
  func continuesBatch(_ record: Int) -> Bool {
    record < count && places[record] & Self.isContinued != 0
  }

  func kinds(of records: Range<Int>) -> RecordKinds {
    var bits: UInt64 = 0
    for record in records { bits |= 1 << UInt64(places[record] & ~Self.isContinued) }
    return RecordKinds(rawValue: bits)
  }
}
