/// Adds the segments that one reading has found, and so their records, to the index of records.
struct SegmentIngest {
  private var index: RecordIndex
  private var cursors: [UInt64: SegmentReader.Cursor]
  private let horizon: UInt64
  private let hasLaterKinds: Bool
  private let slotBits: UInt32
  /// The segments that were found to be damaged before, by epoch.
  private let damaged: [UInt64: TraceSegment]
  private var kept: [TraceSegment] = []
  private var pieces: [RecordIndexer.Piece] = []
  /// By the index of a stored segment: the segment's index in `kept`, and the offset in the file at
  /// which its records begin.
  private var places: [Int: (kept: Int, offset: Int)] = [:]
  private var newCursors: [UInt64: SegmentReader.Cursor] = [:]

  /// Begins a reading.
  ///
  /// - Parameters:
  ///   - index: The index of the records read so far.
  ///   - cursors: How far each segment was read, by epoch.
  ///   - damaged: The segments as they were read before, because damage that was found once is
  ///     kept.
  ///   - horizon: A time, in ticks; later records are left for the next reading.
  ///   - header: The header of the file.
  init(
    _ index: RecordIndex,
    cursors: [UInt64: SegmentReader.Cursor],
    damaged: [TraceSegment],
    horizon: UInt64,
    header: TraceHeader
  ) {
    self.index = index
    self.cursors = cursors
    self.damaged = Dictionary(
      damaged.lazy.filter(\.isDamaged).map { ($0.epoch, $0) },
      uniquingKeysWith: { $1 }
    )
    self.horizon = horizon
    hasLaterKinds = header.hasLaterKinds
    slotBits = header.slotBits
    newCursors.reserveCapacity(cursors.count)
  }

  /// Counts a segment as read without reading its records.
  mutating func skip(_ segment: TraceSegment) {
    newCursors[segment.epoch] = SegmentReader.Cursor(
      committed: segment.committed,
      thread: cursors[segment.epoch]?.thread ?? segment.thread
    )
    keep(segment)
  }

  private mutating func keep(_ segment: TraceSegment) {
    var segment = segment
    if let before = damaged[segment.epoch] {
      segment.damagedRows = before.damagedRows
      segment.hasWrongTimes = before.hasWrongTimes
    }
    kept.append(segment)
  }

  /// Adds the new records of a segment that stays where it is in the file.
  mutating func add(_ segment: TraceSegment, _ region: TraceRegion) {
    let start = region.offset(ofRow: segment.index) + Layout.Segment.headerByteCount
    let cursor = cursor(of: segment)
    if let place = index.latest[segment.epoch], index.stored[place].isHeld {
      // The segment was copied while it was in the ring; from now on it is read from the file.
      let first = index.stored[place].firstSlot
      index.stored[place].source = .file(offset: start + first * Layout.Record.byteCount)
    }
    add(segment, cursor, start, copy: nil)
  }

  /// Adds a copy of the new records of a segment of the ring; false if the segment was recycled
  /// meanwhile.
  mutating func add(_ segment: TraceSegment, copyingFrom ring: SegmentReader) -> Bool {
    let row = ring.region.offset(ofRow: segment.index)
    let cursor = cursor(of: segment)
    var copy: [UInt8] = []
    if segment.committed > cursor.committed {
      let count = Int(segment.committed - cursor.committed)
      copy = ring.file.bytes(at: row + Int(cursor.committed), count: count)
      let epoch = ring.file.bytes(at: row + Layout.Segment.epoch.offset, count: 8)
        .withUnsafeBytes { Field<UInt64>(at: 0).load(from: $0) }
      guard epoch == segment.epoch else { return false }
    }
    add(segment, cursor, row + Layout.Segment.headerByteCount, copy: copy)
    return true
  }

  private func cursor(of segment: TraceSegment) -> SegmentReader.Cursor {
    cursors[segment.epoch] ?? SegmentReader.Cursor(start: segment)
  }

  private mutating func add(
    _ segment: TraceSegment,
    _ cursor: SegmentReader.Cursor,
    _ start: Int,
    copy: [UInt8]?
  ) {
    newCursors[segment.epoch] = cursor
    keep(segment)
    guard segment.committed > cursor.committed else { return }
    let size = Layout.Record.byteCount
    let from = (Int(cursor.committed) - Layout.Segment.headerByteCount) / size
    let end = (Int(segment.committed) - Layout.Segment.headerByteCount) / size
    var piece = RecordIndexer.Piece(
      stored: index.stored.count,
      start: 0,
      end: end - from,
      thread: cursor.thread,
      earliest: segment.baseTicks,
      horizon: horizon,
      isNew: true
    )
    if let place = index.latest[segment.epoch],
      let earliest = earliestTicksIfContiguous(place, from, end, start, copy, segment)
    {
      piece.stored = place
      piece.start = from - index.stored[place].firstSlot
      piece.end = end - index.stored[place].firstSlot
      piece.earliest = earliest
      if let copy { index.stored[place].append(copy) }
    } else {
      index.latest[segment.epoch] = index.stored.count
      index.stored.append(
        StoredSegment(
          epoch: segment.epoch,
          baseTicks: segment.baseTicks,
          generation: segment.generation,
          firstSlot: from,
          firstThread: cursor.thread,
          firstSignal: cursor.signal,
          serials: SerialBase(base: segment.baseSerial, slotBits: slotBits),
          hasLaterKinds: hasLaterKinds,
          source: copy.map { .held($0) } ?? .file(offset: start + from * size),
          slotCount: end - from
        )
      )
    }
    places[piece.stored] = (kept.count - 1, start)
    pieces.append(piece)
  }

  /// The earliest time of the new records of a segment if they continue where the stored ones end;
  /// nil if they have to be stored separately.
  private func earliestTicksIfContiguous(
    _ place: Int,
    _ from: Int,
    _ end: Int,
    _ start: Int,
    _ copy: [UInt8]?,
    _ segment: TraceSegment
  ) -> UInt64? {
    let old = index.stored[place]
    guard old.isSorted, old.isHeld == (copy != nil), old.baseTicks == segment.baseTicks,
      old.firstSlot + old.slotCount == from
    else { return nil }
    var (earliest, last, isSorted) = (UInt64.max, old.lastTicks, true)
    let size = Layout.Record.byteCount
    let bytes = copy ?? index.pages.file.bytes(at: start + from * size, count: (end - from) * size)
    _ = bytes.withUnsafeBytes { bytes in
      SegmentWalk.walk(bytes, hasLaterKinds: hasLaterKinds) { _, head, _, _ in
        let (sum, overflow) = old.baseTicks.addingReportingOverflow(Packing.delta(ofHead: head))
        let ticks = overflow ? .max : sum
        if ticks < last { isSorted = false }
        last = ticks
        earliest = min(earliest, ticks)
        return true
      } flaw: { _, _ in
      }
    }
    return isSorted ? earliest : nil
  }

  // MARK: The end

  /// Determines the order of all records and stores the result in `snapshot`.
  mutating func finish(into snapshot: inout TraceSnapshot, _ log: inout ProblemLog) {
    let (pieces, places) = (pieces, places)
    var kept = kept
    var cursors = newCursors
    RecordIndexer.add(pieces, to: &index) { stored, piece, cursor in
      guard let place = places[piece.stored] else { return }
      let slots = stored.firstSlot + cursor.goneOver
      cursors[stored.epoch] = SegmentReader.Cursor(
        committed: UInt32(Layout.Segment.headerByteCount + slots * Layout.Record.byteCount),
        thread: cursor.lastThread,
        signal: cursor.lastSignal
      )
      if cursor.count > 0 { stored.lastTicks = cursor.ticks[cursor.count - 1] }
      if cursor.missingSlots > 0 { kept[place.kept].isTruncated = true }
      if cursor.hasWrongTimes { kept[place.kept].hasWrongTimes = true }
      for damage in cursor.damage {
        kept[place.kept].addDamage(damage.slots, from: stored.firstSlot + piece.start)
      }
      Self.note(cursor, piece, stored, kept[place.kept].index, at: place.offset, &log)
    }
    kept.sort { $0.epoch < $1.epoch }
    snapshot.segments = kept
    snapshot.cursors = cursors
    snapshot.records = TraceRecords(index)
  }

  /// Logs what is wrong with a piece of a segment whose records begin at `offset` in the file.
  private static func note(
    _ cursor: SegmentCursor,
    _ piece: RecordIndexer.Piece,
    _ stored: StoredSegment,
    _ segment: Int,
    at offset: Int,
    _ log: inout ProblemLog
  ) {
    let size = Layout.Record.byteCount
    if cursor.missingSlots > 0 {
      log.note(
        "truncated",
        at: offset + (stored.firstSlot + piece.end - cursor.missingSlots) * size,
        "the file ends within segment \(segment); the records after that are missing"
      )
    }
    for damage in cursor.damage {
      let bytes = damage.slots.count * size
      log.note(
        "damage",
        at: offset + (stored.firstSlot + piece.start + damage.slots.lowerBound) * size,
        isLoss: false,
        "\(damage.flaw.text); \(bytes) bytes of segment \(segment) are skipped, and what was recorded there is unknown"
      )
    }
    if !cursor.isSorted {
      log.note(
        "order",
        at: offset - Layout.Segment.headerByteCount,
        isLoss: false,
        "the records of segment \(segment) are not in order of time; rxtop sorts them"
      )
    } else if cursor.hasWrongTimes {
      log.note(
        "order",
        at: offset - Layout.Segment.headerByteCount,
        "segment \(segment) claims a time more than 2^47 ticks behind its base; some of it is damaged"
      )
    }
  }
}

extension SegmentWalk.Flaw {
  /// A description of the flaw, as the beginning of a sentence.
  fileprivate var text: String {
    switch self {
    case .loneContinuation: "a continuation stands alone"
    case .appendedToNothing: "a signal is appended to a record that created none"
    case .missingContinuations(let kind, let found, let wanted):
      "a record '\(RecordSpec.of(kind).name)' has \(found) of its \(wanted) continuations"
    case .noKind(let raw): "there is no kind \(raw) of records"
    }
  }
}

extension TraceSegment {
  /// Notes that some slots, counted from `first`, are not records.
  fileprivate mutating func addDamage(_ slots: Range<Int>, from first: Int) {
    let rows = (slots.lowerBound + first)..<(slots.upperBound + first)
    // A part of the segment may be read again, so the damage may be noted already.
    guard !damagedRows.contains(where: { $0.contains(rows.lowerBound) }) else { return }
    if let last = damagedRows.last,
      damagedRows.count == SegmentCursor.damageLimit || last.upperBound == rows.lowerBound
    {
      damagedRows[damagedRows.count - 1] = last.lowerBound..<max(last.upperBound, rows.upperBound)
    } else {
      damagedRows.append(rows)
    }
  }
}
