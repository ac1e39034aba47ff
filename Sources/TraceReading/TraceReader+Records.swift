import CReactiveTraceShims
import TracePlatform

extension SegmentReader.Cursor {
  /// A position before the first record of `segment`.
  init(start segment: TraceSegment) {
    self.init(committed: UInt32(Layout.Segment.headerByteCount), thread: segment.thread)
  }
}

extension TraceReader {
  /// The segments in use, in ascending order of epochs, which number them; each epoch once.
  ///
  /// A segment holds 64 KiB of records. Segments are in the ring, where the oldest is recycled
  /// (overwritten) if no other is free, and in the tail, to which a stream appends them.
  ///
  /// While the file is being written, segments that were assigned after `header` was read are left
  /// out. Otherwise records could be missing: a thread may have filled its previous segment after
  /// that segment was read, and then have taken the new one.
  func segments(
    in header: TraceHeader,
    since earlier: [TraceSegment] = [],
    _ log: inout ProblemLog
  ) -> [TraceSegment] {
    // The ring is read first, so that a segment that is appended to the tail meanwhile is found in
    // both places rather than in neither.
    let limit = isBeingWritten(header) ? header.lastEpoch : .max
    var segments = headers(of: .segments, in: header, from: 0, &log)
    // Segments in the tail do not change, so those that are known are not read again.
    let known = Self.knownTail(earlier)
    segments += known
    segments += headers(of: .tail, in: withCurrentTail(header), from: known.count, &log)
    segments.removeAll { $0.epoch > limit }
    segments.sort {
      ($0.epoch, $0.isInTail ? 0 : 1, $0.index) < ($1.epoch, $1.isInTail ? 0 : 1, $1.index)
    }
    var last = TraceSegment()
    segments.removeAll { segment in
      defer { last = segment }
      guard segment.epoch == last.epoch else { return false }
      // A segment that is both in the ring and in the tail is read from the tail.
      if last.isInTail, !segment.isInTail { return true }
      let region = header.regions[segment.isInTail ? .tail : .segments] ?? TraceRegion()
      log.note(
        "segment",
        at: region.offset(ofRow: segment.index),
        "segment \(segment.index) has epoch \(segment.epoch), as another one does; it is skipped"
      )
      return true
    }
    return segments
  }

  /// The segments of the tail that the previous reading found, up to the first index that it lacks;
  /// they need not be read again.
  private static func knownTail(_ earlier: [TraceSegment]) -> [TraceSegment] {
    let tail = earlier.filter(\.isInTail).sorted { $0.index < $1.index }
    let gap = tail.indices.first { tail[$0].index != $0 }
    return Array(tail[..<(gap ?? tail.count)])
  }

  /// The header with the current length of the tail: a segment may have been appended, and its
  /// place in the ring recycled, since the header was read.
  private func withCurrentTail(_ header: TraceHeader) -> TraceHeader {
    guard header.regions[.tail] != nil, isBeingWritten(header) else { return header }
    var header = header
    var log = ProblemLog(path: path)
    header.regions[.tail] = (try? self.header(&log))?.regions[.tail]
    return header
  }

  private func headers(
    of kind: RegionKind,
    in header: TraceHeader,
    from first: Int,
    _ log: inout ProblemLog
  ) -> [TraceSegment] {
    let reader = SegmentReader(file, header, kind)
    var segments: [TraceSegment] = []
    reader.forEachStored(from: first) { index in
      if let segment = reader.header(at: index, &log) { segments.append(segment) }
    }
    return segments
  }

  /// The time, in ticks, up to which a reading that begins now will be complete.
  ///
  /// Segments are read one after the other, so records that are written meanwhile may or may not be
  /// seen.
  func horizon(_ header: TraceHeader) -> UInt64 {
    // If nothing writes to the file any more, all its records are there. None is left out because
    // of its time, even if damage makes that a time in the future.
    guard isBeingWritten(header), ProcessStatus(of: header) != .died else { return .max }
    return header.clock == .cycles
      ? rxt_cycle_counter() : TimeNamespace.monotonicNow(of: header.processID)
  }

  /// Whether the file may change while it is read.
  ///
  /// A file from another computer, or from before the last restart of this one, cannot change.
  func isBeingWritten(_ header: TraceHeader) -> Bool {
    guard header.state == .recording, let boot = SystemProcess.bootID() else { return false }
    return boot == header.bootID
  }

  /// Adds the records after the snapshot's cursors, which say how far each segment has been read,
  /// up to a time.
  func readRecords(
    of segments: [TraceSegment],
    until horizon: UInt64,
    into snapshot: inout TraceSnapshot,
    _ log: inout ProblemLog
  ) {
    let header = snapshot.header
    let surplus = surplus(of: segments, in: &snapshot)
    var ingest = SegmentIngest(
      snapshot.records.takeIndex(of: file),
      cursors: snapshot.cursors,
      damaged: snapshot.segments,
      horizon: horizon,
      header: header
    )
    let ring = SegmentReader(file, header, .segments)
    let tail = SegmentReader(file, withCurrentTail(header), .tail)
    let inRing = segments.reduce(0) { $0 + ($1.isInTail ? 0 : Int($1.committed)) }
    let isHeld = isBeingWritten(header) || inRing <= Self.heldLimit * Layout.Record.byteCount
    var gone: Set<UInt64> = []
    for (place, segment) in segments.enumerated() {
      if place < surplus {
        ingest.skip(segment)
      } else if segment.isInTail || !isHeld {
        ingest.add(segment, (segment.isInTail ? tail : ring).region)
      } else if !ingest.add(segment, copyingFrom: ring) {
        gone.insert(segment.epoch)
      }
    }
    // If there is a tail, segments that were recycled meanwhile are in it.
    if !gone.isEmpty, header.regions[.tail] != nil {
      let later = withCurrentTail(header)
      let tail = SegmentReader(file, withCurrentTail(header), .tail)
      for segment in headers(of: .tail, in: later, from: segments.count(where: \.isInTail), &log)
      where gone.contains(segment.epoch) {
        ingest.add(segment, tail.region)
      }
    }
    ingest.finish(into: &snapshot, &log)
    trim(&snapshot)
  }

  /// How many of the oldest segments are skipped: the newest segment of the tail that does not fit
  /// into the limit of records together with all newer ones, and everything before it.
  ///
  /// A stream may be larger than the available memory. A skipped segment of which nothing was read
  /// counts as one dropped record for each 16 bytes.
  private func surplus(of segments: [TraceSegment], in snapshot: inout TraceSnapshot) -> Int {
    var room = recordLimit
    for (place, segment) in segments.enumerated().reversed() {
      let seen =
        snapshot.cursors[segment.epoch]?.committed ?? UInt32(Layout.Segment.headerByteCount)
      let count = Int(segment.committed - min(seen, segment.committed)) / Layout.Record.byteCount
      guard count > room, segment.isInTail else {
        room -= min(room, count)
        continue
      }
      for left in segments[...place] where snapshot.cursors[left.epoch] == nil {
        let bytes = Int(left.committed) - Layout.Segment.headerByteCount
        snapshot.droppedRecords += UInt64(bytes / Layout.Record.byteCount)
      }
      return place + 1
    }
    return 0
  }

  /// The maximum number of slots of the ring of which a snapshot keeps copies in memory.
  ///
  /// A slot is the 16 bytes of a record or of a continuation, so these are 64 MiB.
  static let heldLimit = 1 << 22

  /// Drops the oldest records beyond the limit.
  ///
  /// Many are dropped at a time, because each time all blocks of the index are examined.
  private func trim(_ snapshot: inout TraceSnapshot) {
    guard var index = snapshot.records.index else { return }
    var surplus = 0
    if index.count > recordLimit, index.count - recordLimit > recordLimit / 8 {
      surplus = index.count - recordLimit
    }
    let held = index.heldSlots
    if held > Self.heldLimit + Self.heldLimit / 8 {
      surplus = max(surplus, min(index.count, held - Self.heldLimit))
    }
    guard surplus > 0 else { return }
    snapshot.records = TraceRecords()
    index.drop(first: surplus)
    snapshot.records = TraceRecords(index)
    snapshot.droppedRecords += UInt64(surplus)
  }

  /// Determines the first generation from which on nothing is missing.
  ///
  /// A generation is a stretch of the trace that can be read without the earlier records. The
  /// segment of every epoch that was assigned should either be in the file or have been recycled.
  /// If some segments are neither, the file was cut off or is damaged, and every gap between the
  /// epochs of generations that were not recycled is treated as a loss. A segment of which a part
  /// is damaged or missing counts as missing, because that part may have contained records about
  /// anything. `lastEpoch` was read before the segments, and the header after them. So whatever the
  /// recorder did in between can only make the loss appear smaller, never larger.
  func findExactWindow(
    in snapshot: inout TraceSnapshot,
    lastEpoch: UInt64,
    _ log: inout ProblemLog
  ) {
    let header = snapshot.header
    var first = header.recycledGeneration &+ 1
    let damaged = UInt64(snapshot.segments.count { $0.isDamaged && !$0.isTruncated })
    let present = UInt64(snapshot.segments.count { $0.epoch <= lastEpoch && $0.isWhole })
    let accounted = present.addingReportingOverflow(header.recycledSegments)
    let missing = accounted.overflow ? 0 : lastEpoch - min(lastEpoch, accounted.partialValue)
    snapshot.missingSegments = missing - min(missing, damaged)
    snapshot.damagedSegments = damaged
    if missing > 0 || damaged > 0 {
      first = firstGeneration(behindGapsOf: snapshot.segments, from: first, to: lastEpoch)
    }
    if snapshot.missingSegments > 0 {
      log.note(
        "gap",
        at: Layout.FileHeader.lastEpoch.offset,
        isLoss: false,
        snapshot.missingSegments == 1
          ? "1 segment of the ring is not in the file, or unreadable; what it held is unknown"
          : "\(snapshot.missingSegments) segments of the ring are not in the file, or unreadable; "
            + "what they held is unknown"
      )
    }
    let exists = first == 1 || snapshot.segments.contains { $0.generation >= first }
    snapshot.firstExactGeneration = exists && first != .max && first != 0 ? first : nil
  }

  /// The first generation after the last gap in the epochs; `.max` if the last epochs are missing.
  private func firstGeneration(
    behindGapsOf segments: [TraceSegment],
    from start: UInt64,
    to lastEpoch: UInt64
  ) -> UInt64 {
    var first = start
    // Segments before the oldest one that was read may also be missing, unless the oldest one has
    // epoch 1.
    var expected: UInt64 = 1
    for segment in segments where segment.generation >= start && segment.isWhole {
      if segment.epoch > expected { first = max(first, segment.generation &+ 1) }
      expected = segment.epoch &+ 1
    }
    return expected <= lastEpoch ? .max : first
  }

  /// The number of nanoseconds per tick, computed from two readings of the clocks that the file
  /// contains.
  ///
  /// If the readings are less than 10 ms apart, as in a recording that is still in its first
  /// segment, the current time serves as the second reading, provided that the computer has not
  /// been restarted and its cycle counter is invariant.
  func nanosecondsPerTick(of snapshot: TraceSnapshot) -> Double {
    let header = snapshot.header
    guard header.clock == .cycles else { return 1 }
    var latest = header.latest
    for segment in snapshot.segments where segment.baseMonotonic > latest.monotonic {
      latest.ticks = segment.baseTicks
      latest.monotonic = segment.baseMonotonic
    }
    let shortest: UInt64 = 10_000_000
    if latest.monotonic < header.start.monotonic &+ shortest,
      let boot = SystemProcess.bootID(), boot == header.bootID, rxt_has_invariant_counter()
    {
      latest.ticks = rxt_cycle_counter()
      latest.monotonic = TimeNamespace.monotonicNow(of: header.processID)
    }
    guard latest.ticks > header.start.ticks, latest.monotonic > header.start.monotonic else {
      return 1
    }
    let rate =
      Double(latest.monotonic - header.start.monotonic) / Double(latest.ticks - header.start.ticks)
    // Accepts 10 MHz to 100 GHz; any other rate means a damaged header.
    return rate > 0.01 && rate < 100 ? rate : 1
  }
}
