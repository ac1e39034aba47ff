/// What the indexer has to know of each record of a piece of a segment.
///
/// The memory is used again for other pieces.
final class SegmentCursor: RecordHeapEntry {
  private(set) var stored = 0
  private(set) var start = 0
  private(set) var end = 0
  /// Where the next reading goes on, in slots of what is stored.
  private(set) var goneOver = 0
  private(set) var count = 0
  private(set) var generation: UInt64 = 0
  private(set) var isSorted = true
  /// Whether bytes at the end of the piece were not there.
  private(set) var missingSlots = 0
  /// Whether there are times in it that cannot be.
  private(set) var hasWrongTimes = false
  /// Slots of the piece that are no records, and what is wrong with the first of each; the last has all that
  /// are too many to be listed.
  private(set) var damage: [(slots: Range<Int>, flaw: SegmentWalk.Flaw)] = []
  /// Whom the last record belongs to.
  private(set) var lastThread: UInt32 = 0

  let ticks: UnsafeMutablePointer<UInt64>
  /// Slots of the segment, for numbers.
  private let slots: UnsafeMutablePointer<UInt16>
  /// Places in `RecordKind.allCases`.
  private let places: UnsafeMutablePointer<UInt8>
  private var switches: [(record: Int, thread: UInt32)] = []
  private var firstThread: UInt32 = 0
  /// Whom the first and the last record belong to, in the order of time.
  private var outerThreads: (first: UInt32, last: UInt32) = (0, 0)
  private var firstNumber: UInt64 = 0
  private var firstSlot = 0

  /// Of the record that comes next.
  private(set) var position = 0
  private(set) var key = RecordKey(ticks: 0, rank: 0, number: 0)

  /// What its last thread goes on with at the time at which it ends, in another segment.
  var continuation: SegmentCursor?

  /// Places that are listed.
  static let damageLimit = 16
  private static let capacity = Layout.Segment.size / Layout.Record.byteCount

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

  /// Goes over a piece, and finds out on the way whether its segment is in the order of time.
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

  /// The last of those that go on from it; itself where none does.
  var last: SegmentCursor {
    var cursor = self
    while let next = cursor.continuation { cursor = next }
    return cursor
  }

  /// Whether the thread that wrote its last record wrote the first of another behind it, at the same time.
  func isContinued(by other: SegmentCursor) -> Bool {
    outerThreads.last != 0 && outerThreads.last == other.outerThreads.first
      && ticks[count - 1] == other.ticks[0] && firstNumber < other.firstNumber
  }

  /// Gives what goes on from it away.
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
      // Whose the records behind are is not known: the record that said so may have been in there.
      thread = 0
      switches.append((count - 1, 0))
      note(flaw, place.slot..<(place.slot + place.count))
    }
    self.count = count
    self.isSorted = isSorted
    lastThread = thread
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

  /// Takes records that had to be sorted; slots are places among these.
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

  // MARK: Going on

  /// Goes on to the first record that is not before `limit`, but one record at least.
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
    key.rank = RecordKindTable.shared.ranks[Int(places[position])]
    key.number = firstNumber &+ UInt64(firstSlot) &+ UInt64(slots[position])
  }

  // MARK: Answers

  /// Where a record begins in what is stored; behind the last, where the piece ends.
  func slot(of record: Int) -> UInt16 {
    record < count
      ? UInt16(truncatingIfNeeded: firstSlot + Int(slots[record]))
      : UInt16(truncatingIfNeeded: end)
  }

  /// Whom a record belongs to, unless it says otherwise.
  func thread(of record: Int) -> UInt32 {
    guard !switches.isEmpty else { return firstThread }
    return switches.last { $0.record < record }?.thread ?? firstThread
  }

  func kinds(of records: Range<Int>) -> RecordKinds {
    var bits: UInt64 = 0
    for record in records { bits |= 1 << UInt64(places[record]) }
    return RecordKinds(rawValue: bits)
  }
}
