/// Reads the headers of segments (64 KiB of records each), and the records of single segments
/// (TraceFormat §4).
struct SegmentReader {
  let file: TraceFile
  /// The ring, or the tail, to which a stream appends segments.
  let region: TraceRegion
  /// Whether a later minor version wrote the file.
  let hasLaterKinds: Bool
  private let slotBits: UInt32

  /// Creates a reader for the ring or the tail of a file; it finds no segments if the file has no
  /// such region.
  init(_ file: TraceFile, _ header: TraceHeader, _ kind: RegionKind) {
    self.file = file
    region = header.regions[kind] ?? TraceRegion()
    hasLaterKinds = header.hasLaterKinds
    slotBits = header.slotBits
  }

  /// How far a segment has been read: the number of bytes, the thread of the last record, and the
  /// signal that the last record created.
  struct Cursor: Sendable {
    var committed: UInt32
    var thread: UInt32
    var signal: UInt32 = 0
  }

  /// Calls `body`, in order, with the index of each segment from `first` on that is not entirely a
  /// hole of the file.
  func forEachStored(from first: Int = 0, _ body: (Int) -> Void) {
    guard first < region.readable else { return }
    var next = first
    let size = Layout.Segment.size
    file.forEachStretch(in: region.bytes(from: first)) { stretch in
      let end = min(region.readable, (stretch.upperBound - region.start + size - 1) / size)
      next = max(next, (stretch.lowerBound - region.start) / size)
      while next < end {
        body(next)
        next += 1
      }
      return true
    }
  }

  /// The header of the segment at `index`, or nil if it is free, being recycled, invalid, or not in
  /// the file.
  func header(at index: Int, _ log: inout ProblemLog) -> TraceSegment? {
    guard index < region.readable else { return nil }
    let start = region.offset(ofRow: index)
    let bytes = file.bytes(at: start, count: Layout.Segment.headerByteCount)
    guard bytes.count == Layout.Segment.headerByteCount else { return nil }
    var segment = TraceSegment()
    segment.index = index
    segment.isInTail = region.kind == .tail
    var rawState: UInt32 = 0
    bytes.withUnsafeBytes { bytes in
      segment.epoch = Layout.Segment.epoch.load(from: bytes)
      segment.committed = Layout.Segment.committed.load(from: bytes)
      rawState = Layout.Segment.state.load(from: bytes)
      segment.baseTicks = Layout.Segment.baseTicks.load(from: bytes)
      segment.baseMonotonic = Layout.Segment.baseMonotonic.load(from: bytes)
      segment.generation = Layout.Segment.generation.load(from: bytes)
      segment.thread = Layout.Segment.thread.load(from: bytes)
      segment.lost = Layout.Segment.lost.load(from: bytes)
      segment.baseSerial = Layout.Segment.baseSerial.load(from: bytes)
    }
    guard segment.epoch != 0 else { return nil }
    guard segment.epoch >> (64 - Packing.recordIndexBits) == 0 else {
      log.note(
        "segment",
        at: start,
        "segment \(index) claims epoch \(segment.epoch), less than 2^52 was expected; it is skipped"
      )
      return nil
    }
    let committed = Int(segment.committed)
    guard committed >= Layout.Segment.headerByteCount, committed <= Layout.Segment.size,
      committed % Layout.Record.byteCount == 0
    else {
      log.note(
        "segment",
        at: start + Layout.Segment.committed.offset,
        "segment \(index) claims \(committed) bytes in use, a multiple of 16 from 64 to 65536 was expected; it is skipped"
      )
      return nil
    }
    if let state = SegmentState(rawValue: rawState) {
      segment.state = state
    } else {
      log.note(
        "segment",
        at: start + Layout.Segment.state.offset,
        "segment \(index) claims state \(rawState), 0 to 2 were expected; it is read as sealed"
      )
      segment.state = .sealed
    }
    return segment
  }

  /// The records of `segment` in order of time; nil if it was recycled meanwhile.
  func records(of segment: TraceSegment) -> [TraceRecord]? {
    let start = region.offset(ofRow: segment.index)
    let header = Layout.Segment.headerByteCount
    let bytes = file.bytes(at: start + header, count: Int(segment.committed) - header)
    let epoch = file.bytes(at: start + Layout.Segment.epoch.offset, count: 8)
      .withUnsafeBytes { Field<UInt64>(at: 0).load(from: $0) }
    guard epoch == segment.epoch else { return nil }
    let origin = SegmentWalk.Origin(
      epoch: segment.epoch,
      baseTicks: segment.baseTicks,
      generation: segment.generation,
      firstSlot: 0,
      thread: segment.thread,
      hasLaterKinds: hasLaterKinds,
      serials: SerialBase(base: segment.baseSerial, slotBits: slotBits)
    )
    let room = bytes.count / Layout.Record.byteCount
    var records = [TraceRecord](unsafeUninitializedCapacity: room) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      bytes.withUnsafeBytes {
        count = SegmentWalk.decode($0, origin, into: base, limit: room)
      }
    }
    if zip(records, records.dropFirst()).contains(where: { $0.ticks > $1.ticks }) {
      records.sort { ($0.ticks, $0.number) < ($1.ticks, $1.number) }
    }
    return records
  }
}

extension TraceHeader {
  /// Whether a later minor version wrote the file, so that there may be kinds of records not known
  /// here.
  var hasLaterKinds: Bool { minorVersion > Layout.FileHeader.currentMinorVersion }
}
