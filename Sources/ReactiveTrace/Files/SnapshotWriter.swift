import CReactiveTraceShims
import Glibc
import TracePlatform

/// Copies the trace of this process into another file while recording continues, or when it has
/// ended.
///
/// It follows the rules for readers (TraceFormat §4): segments that change while they are copied
/// are left out. The header is read after the segments, except for the last epoch (the number of
/// the segment that was assigned last), which is read before them. Therefore, the copy is complete
/// up to the time at which the writer began. The copy is final, and contains no unused space.
struct SnapshotWriter {
  let recorder: UnsafePointer<Recorder>
  let descriptor: Int32
  let path: String
  /// Whether recording has ended, so that this copy is to replace the file.
  var isFinal = false

  private typealias Header = Layout.FileHeader

  /// Writes the whole copy.
  func write() throws(TraceError) {
    let base = recorder.pointee.base
    let horizon = isFinal ? .max : recorder.pointee.clock.now
    let lastEpoch = Header.lastEpoch.acquire(at: base)
    var layout = CompactLayout()
    try copyRing(&layout, upTo: lastEpoch, horizon)
    var header = [UInt8](UnsafeRawBufferPointer(start: base, count: Header.byteCount))
    // The segments in the tail are counted before the tables are copied: all their records refer to
    // rows that exist by now.
    let tailCount = recorder.pointee.tail.count
    try copyTables(&layout)
    try copyTail(&layout, tailCount)
    guard ftruncate(descriptor, off_t(layout.byteCount)) == 0 else { throw failure() }
    layout.write(into: &header)
    if !isFinal { finish(&header, lastEpoch) }
    guard !rxt_mapping_is_lost(base) else {
      throw TraceError(.system, "the recording was cut while it was copied", path: path)
    }
    // The header comes last, because a file without the magic number is not a trace.
    try put(header, at: 0)
  }

  // MARK: Segments

  private func copyRing(
    _ layout: inout CompactLayout,
    upTo lastEpoch: UInt64,
    _ horizon: UInt64
  ) throws(TraceError) {
    let region = recorder.pointee.pool.region
    let used = recorder.pointee.pool.lock.withLock { region.heldBytes / Layout.Segment.size }
    let start = layout.byteCount
    var copied = 0
    for index in 0..<used {
      let segment = region.entry(index)
      let epoch = Layout.Segment.epoch.acquire(at: segment)
      guard epoch != 0, epoch <= lastEpoch else { continue }
      let committed = Int(Layout.Segment.committed.acquire(at: segment))
      guard committed >= Layout.Segment.headerByteCount, committed <= Layout.Segment.size else {
        continue
      }
      var copy = [UInt8](UnsafeRawBufferPointer(start: segment, count: committed))
      rxt_fence_acquire()
      // If the segment was recycled meanwhile, it is left out: the header, which is read later,
      // counts it as recycled.
      guard Layout.Segment.epoch.relaxed(at: segment) == epoch else { continue }
      let end = Self.end(of: copy, before: horizon)
      copy.withUnsafeMutableBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        Layout.Segment.epoch.store(epoch, to: start)
        Layout.Segment.committed.store(UInt32(end), to: start)
        Layout.Segment.state.store(SegmentState.sealed.rawValue, to: start)
      }
      try put(copy[..<end], at: start + copied * Layout.Segment.size)
      copied += 1
    }
    _ = layout.place(.segments, copied, entrySize: Layout.Segment.size)
  }

  /// The number of bytes of the segment that hold records up to a time.
  ///
  /// The continuations of a record, which hold its further values, are counted with it.
  private static func end(of segment: [UInt8], before horizon: UInt64) -> Int {
    segment.withUnsafeBytes { bytes in
      let base = Layout.Segment.baseTicks.load(from: bytes)
      var end = bytes.count
      var position = end - Layout.Record.byteCount
      while position >= Layout.Segment.headerByteCount {
        let head = Layout.Record.head.load(from: bytes, at: position)
        if Packing.kind(ofHead: head) != RecordKind.continuation.rawValue {
          if base &+ Packing.delta(ofHead: head) <= horizon { break }
          end = position
        }
        position -= Layout.Record.byteCount
      }
      return end
    }
  }

  /// Copies the first `count` segments of a stream's tail, or fewer if some cannot be read.
  ///
  /// - Throws: `TraceError` if the copy is to replace the file and would lack segments.
  private func copyTail(_ layout: inout CompactLayout, _ count: Int) throws(TraceError) {
    let start = (layout.byteCount + 7) / 8 * 8
    var buffer = [UInt8](repeating: 0, count: Layout.Segment.size)
    var copied = 0
    // The descriptor may have been closed by the program, which closed all that it did not know.
    if let source = recorder.pointee.tail.readableDescriptor {
      while copied < count {
        let place = off_t(recorder.pointee.byteCount + copied * Layout.Segment.size)
        guard pread(source, &buffer, buffer.count, place) == buffer.count else { break }
        try put(buffer, at: start + copied * Layout.Segment.size)
        copied += 1
      }
    }
    if copied < count, isFinal {
      throw TraceError(.system, "cannot be read to the end, so no copy replaces it", path: path)
    }
    _ = layout.place(.tail, copied, entrySize: Layout.Segment.size)
  }

  // MARK: Tables

  /// Copies everything except the segments.
  ///
  /// A table is copied before the tables that its rows refer to, so that the copies of the
  /// latter contain every row that is referred to.
  private func copyTables(_ layout: inout CompactLayout) throws(TraceError) {
    let recorder = recorder
    try copy(recorder.pointee.slab.region, &layout)
    try copy(recorder.pointee.slab.upstreams, &layout)
    try copy(recorder.pointee.arguments.region, &layout)
    try copy(recorder.pointee.chains.region, &layout)
    let counts = try copyMarks(&layout)
    try copy(recorder.pointee.sites.region, &layout)
    try copyCounts(counts, sites: layout.count(.sites), &layout)
    try copy(recorder.pointee.schedulers.region, &layout)
    try copy(recorder.pointee.threads.region, &layout)
    try copy(recorder.pointee.images.region, &layout)
    try copy(recorder.pointee.stackTable.region, &layout)
    try copy(recorder.pointee.strings.region, &layout)
  }

  private func copy(_ region: MappedRegion, _ layout: inout CompactLayout) throws(TraceError) {
    // With the lock held, no slot is about to be filled for the first time.
    let slab = recorder.pointee.slab
    let count = region.kind == .slab ? slab.lock.withLock { region.used } : region.used
    let start = layout.place(region.kind, count, entrySize: region.entrySize)
    let size = count * region.entrySize
    for offset in stride(from: 0, to: size, by: 1 << 16) {
      let source = region.base + offset
      var copy = [UInt8](UnsafeRawBufferPointer(start: source, count: min(1 << 16, size - offset)))
      if region.kind == .slab { dropUnstable(&copy, source) }
      try put(copy, at: start + offset)
    }
  }

  /// Copies the marks, and returns the counts of each.
  private func copyMarks(_ layout: inout CompactLayout) throws(TraceError) -> [[UInt8]] {
    let marks = recorder.pointee.marks
    // The lock is held because the recorder moves rows when it removes marks.
    let (rows, counts) = recorder.pointee.tables.withLock {
      (
        [UInt8](
          UnsafeRawBufferPointer(
            start: marks.region.base,
            count: marks.region.used * marks.region.entrySize
          )
        ),
        (0..<marks.region.used).map { mark in
          let sites = marks.places[mark].siteCount
          return [UInt8](
            UnsafeRawBufferPointer(
              start: marks.countRow(mark, 0),
              count: sites * marks.counts.entrySize
            )
          )
        }
      )
    }
    let start = layout.place(.marks, counts.count, entrySize: marks.region.entrySize)
    try put(rows, at: start)
    return counts
  }

  /// Writes the counts of the marks, each with a row for every copied site.
  private func copyCounts(
    _ counts: [[UInt8]],
    sites: Int,
    _ layout: inout CompactLayout
  ) throws(TraceError) {
    let entrySize = recorder.pointee.marks.counts.entrySize
    let start = layout.place(.markCounts, counts.count * sites, entrySize: entrySize)
    for (mark, counts) in counts.enumerated() {
      try put(counts, at: start + mark * sites * entrySize)
    }
  }

  /// Marks slots as free in the copy if they were reassigned while they were copied.
  private func dropUnstable(_ copy: inout [UInt8], _ source: UnsafeMutableRawPointer) {
    rxt_fence_acquire()
    copy.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      for offset in stride(from: 0, to: bytes.count, by: Layout.Slot.byteCount) {
        let now = Layout.Slot.serial.relaxed(at: source + offset)
        if Layout.Slot.serial.load(from: start + offset) != now {
          Layout.Slot.serial.store(0, to: start + offset)
        }
      }
    }
  }

  // MARK: Header

  private func finish(_ header: inout [UInt8], _ lastEpoch: UInt64) {
    let reading = recorder.pointee.clock.read()
    header.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      Header.lastEpoch.store(lastEpoch, to: start)
      Header.state.store(FileState.stopped.rawValue, to: start)
      Header.stopTicks.store(reading.ticks, to: start)
      Header.endedBy.store(EndingKind.unknown.rawValue, to: start)
      Header.latestTicks.store(reading.ticks, to: start)
      Header.latestMonotonic.store(reading.monotonic, to: start)
      Header.latestRealtime.store(reading.realtime, to: start)
      Header.latestSequence.store(2, to: start)
    }
  }

  // MARK: Writing

  private func put(_ bytes: some Collection<UInt8>, at offset: Int) throws(TraceError) {
    guard NewFile.write(bytes, to: descriptor, at: offset) else { throw failure() }
  }

  private func failure() -> TraceError {
    TraceError(
      .system,
      "the snapshot cannot be written (\(String(cString: strerror(errno)))); make room or give another path",
      path: path
    )
  }
}
