import CReactiveTraceShims

extension SegmentReader.Cursor {
  /// Before the first record of `segment`.
  init(start segment: TraceSegment) {
    self.init(committed: UInt32(Layout.Segment.headerByteCount), thread: segment.thread)
  }
}

extension TraceReader {
  /// The segments in use, by rising epoch; each epoch once.
  ///
  /// While the file is written, those are left out that were handed out after `header` was read: a
  /// thread may have filled its last segment and taken one of them between the looks at the two.
  func segments(in header: TraceHeader, _ log: inout ProblemLog) -> [TraceSegment] {
    guard let region = header.regions[.segments] else { return [] }
    let reader = SegmentReader(file: file, region: region)
    let limit = isBeingWritten(header) ? header.lastEpoch : .max
    var segments: [TraceSegment] = []
    for index in 0..<region.readable {
      if let segment = reader.header(at: index, &log), segment.epoch <= limit {
        segments.append(segment)
      }
    }
    segments.sort { ($0.epoch, $0.index) < ($1.epoch, $1.index) }
    var last: UInt64 = 0
    segments.removeAll { segment in
      defer { last = segment.epoch }
      guard segment.epoch == last else { return false }
      log.note(
        "segment",
        at: region.offset(ofRow: segment.index),
        "segment \(segment.index) has epoch \(segment.epoch), as another one does; it is skipped"
      )
      return true
    }
    return segments
  }

  /// The time up to which a reading that begins now can be complete: the segments are looked at one after
  /// the other, and of what is written meanwhile some is seen and some is not.
  func horizon(_ header: TraceHeader) -> UInt64 {
    guard isBeingWritten(header) else { return .max }
    return rxt_ticks(header.clock == .cycles ? 1 : 0)
  }

  /// Whether the file may change while it is read: of another boot, it cannot.
  private func isBeingWritten(_ header: TraceHeader) -> Bool {
    guard header.state == .recording, let boot = ProcessStatus.bootID() else { return false }
    return boot == header.bootID
  }

  /// Adds what was committed since the snapshot's cursors, up to a time.
  func readRecords(
    of segments: [TraceSegment],
    until horizon: UInt64,
    into snapshot: inout TraceSnapshot,
    _ log: inout ProblemLog
  ) {
    guard let region = snapshot.header.regions[.segments] else { return }
    let reader = SegmentReader(file: file, region: region, horizon: horizon)
    var cursors: [UInt64: SegmentReader.Cursor] = [:]
    cursors.reserveCapacity(segments.count)
    var kept: [TraceSegment] = []
    var added: [TraceRecord] = []
    var runs: [Int] = []
    // Once for all: reserving for each segment would move what is there each time.
    added.reserveCapacity(
      segments.reduce(0) { sum, segment in
        let start = snapshot.cursors[segment.epoch]?.committed
        let seen = start ?? UInt32(Layout.Segment.headerByteCount)
        return sum + Int(segment.committed - min(seen, segment.committed)) / Layout.Record.byteCount
      }
    )
    for var segment in segments {
      var cursor = snapshot.cursors[segment.epoch] ?? SegmentReader.Cursor(start: segment)
      guard reader.appendRecords(of: &segment, after: &cursor, to: &added, &log) else { continue }
      cursors[segment.epoch] = cursor
      kept.append(segment)
      runs.append(added.count)
    }
    snapshot.cursors = cursors
    snapshot.segments = kept
    RecordMerge.merge(added, runs: runs, into: &snapshot.records)
    trim(&snapshot)
  }

  /// Drops the oldest records beyond the limit, many at a time: each time costs a move of the rest.
  private func trim(_ snapshot: inout TraceSnapshot) {
    guard snapshot.records.count > recordLimit + recordLimit / 8 else { return }
    let surplus = snapshot.records.count - recordLimit
    snapshot.records.removeFirst(surplus)
    snapshot.droppedRecords += UInt64(surplus)
  }

  /// Finds the first generation of which nothing is missing.
  ///
  /// Every epoch that was handed out is present or was recycled. If some are neither, they were cut
  /// away or are damaged, and every gap behind the recycled part is taken for a loss.
  /// `lastEpoch` is from before the segments were read, the header from after: so whatever the recorder
  /// did meanwhile makes the loss look smaller, never larger.
  func findExactWindow(
    in snapshot: inout TraceSnapshot,
    lastEpoch: UInt64,
    _ log: inout ProblemLog
  ) {
    let header = snapshot.header
    var first = header.recycledGeneration &+ 1
    let present = UInt64(snapshot.segments.count { $0.epoch <= lastEpoch && !$0.isTruncated })
    let accounted = present.addingReportingOverflow(header.recycledSegments)
    let missing = accounted.overflow ? 0 : lastEpoch - min(lastEpoch, accounted.partialValue)
    snapshot.missingSegments = missing
    if missing > 0 {
      first = firstGeneration(behindGapsOf: snapshot.segments, from: first, to: lastEpoch)
      log.note(
        "gap",
        at: Layout.FileHeader.lastEpoch.offset,
        "\(missing) segments that should be in the ring are not in the file or not readable; what they held is unknown"
      )
    }
    let exists = first == 1 || snapshot.segments.contains { $0.generation >= first }
    snapshot.firstExactGeneration = exists && first != .max && first != 0 ? first : nil
  }

  /// The generation behind the last gap in the epochs, `.max` if the last epochs are missing.
  private func firstGeneration(
    behindGapsOf segments: [TraceSegment],
    from start: UInt64,
    to lastEpoch: UInt64
  ) -> UInt64 {
    var first = start
    // What preceded the oldest segment may be what is missing, unless that one is the very first.
    var expected: UInt64 = 1
    for segment in segments where segment.generation >= start && !segment.isTruncated {
      if segment.epoch > expected { first = max(first, segment.generation &+ 1) }
      expected = segment.epoch &+ 1
    }
    return expected <= lastEpoch ? .max : first
  }

  /// Nanoseconds of one tick, from the two points the file has.
  ///
  /// A recording that ended within its first segment has one point only: on the same boot, now is
  /// the other.
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
      let boot = ProcessStatus.bootID(), boot == header.bootID, rxt_has_invariant_counter()
    {
      latest.ticks = rxt_cycle_counter()
      latest.monotonic = rxt_monotonic_ns()
    }
    guard latest.ticks > header.start.ticks, latest.monotonic > header.start.monotonic else {
      return 1
    }
    let rate =
      Double(latest.monotonic - header.start.monotonic) / Double(latest.ticks - header.start.ticks)
    // A processor between 10 MHz and 100 GHz; anything else is a damaged header.
    return rate > 0.01 && rate < 100 ? rate : 1
  }
}
