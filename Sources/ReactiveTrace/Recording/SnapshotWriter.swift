import CReactiveTraceShims
import Glibc

/// Copies the trace of this process into another file while recording goes on.
///
/// It keeps to the rules for readers (TraceFormat §4): segments that change while they are copied are left
/// out, and the header is the one from after the copy, except for what must be from before. So the copy
/// is final and whole, as of the time it was begun.
struct SnapshotWriter {
  let recorder: UnsafePointer<Recorder>
  let descriptor: Int32
  let path: String

  private typealias Header = Layout.FileHeader

  /// Writes the whole copy.
  func write() throws(TraceError) {
    let base = recorder.pointee.base
    let horizon = recorder.pointee.clock.now
    let lastEpoch = Header.lastEpoch.acquire(at: base)
    guard ftruncate(descriptor, off_t(recorder.pointee.byteCount)) == 0 else { throw failure() }
    try copyRing(upTo: lastEpoch, horizon)
    var header = [UInt8](UnsafeRawBufferPointer(start: base, count: Header.byteCount))
    let tailCount = try copyTail(&header)
    try copyTables(&header)
    finish(&header, lastEpoch, tailCount)
    // Last: what has no magic number is no trace.
    try put(header, at: 0)
  }

  // MARK: Segments

  private func copyRing(upTo lastEpoch: UInt64, _ horizon: UInt64) throws(TraceError) {
    let region = recorder.pointee.pool.region
    for index in 0..<region.capacity {
      let segment = region.entry(index)
      let epoch = Layout.Segment.epoch.acquire(at: segment)
      guard epoch != 0, epoch <= lastEpoch else { continue }
      let committed = Int(Layout.Segment.committed.acquire(at: segment))
      guard committed >= Layout.Segment.headerByteCount, committed <= Layout.Segment.size else {
        continue
      }
      var copy = [UInt8](UnsafeRawBufferPointer(start: segment, count: committed))
      rxt_fence_acquire()
      // Recycled meanwhile: the header, which is read later, counts it.
      guard Layout.Segment.epoch.relaxed(at: segment) == epoch else { continue }
      let end = Self.end(of: copy, before: horizon)
      copy.withUnsafeMutableBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        Layout.Segment.epoch.store(epoch, to: start)
        Layout.Segment.committed.store(UInt32(end), to: start)
        Layout.Segment.state.store(SegmentState.sealed.rawValue, to: start)
      }
      try put(copy[..<end], at: segment - recorder.pointee.base)
    }
  }

  /// Bytes of the segment that were written up to a time; whole records with their continuations.
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

  /// Copies what is in the tail of a stream and returns how many segments that are.
  private func copyTail(_ header: inout [UInt8]) throws(TraceError) -> UInt64 {
    guard let source = recorder.pointee.tail.readableDescriptor else { return 0 }
    let row = Header.regions + RegionKind.tail.rawValue * Layout.Region.byteCount
    let used = Layout.Region.used.acquire(at: recorder.pointee.base + row)
    var buffer = [UInt8](repeating: 0, count: Layout.Segment.size)
    for index in 0..<used {
      let place = recorder.pointee.byteCount + Int(index) * Layout.Segment.size
      guard pread(source, &buffer, buffer.count, off_t(place)) == buffer.count else { return index }
      try put(buffer, at: place)
    }
    return used
  }

  // MARK: Tables

  /// Copies everything but the segments; `header` says how much of it there is.
  private func copyTables(_ header: inout [UInt8]) throws(TraceError) {
    let base = recorder.pointee.base
    for kind in RegionKind.fixed where kind != .segments {
      let row = Header.regions + kind.rawValue * Layout.Region.byteCount
      let (start, size) = header.withUnsafeBytes { bytes in
        (
          Int(Layout.Region.offset.load(from: bytes, at: row)),
          Int(Layout.Region.size.load(from: bytes, at: row))
        )
      }
      for offset in stride(from: 0, to: size, by: 1 << 16) {
        let count = min(1 << 16, size - offset)
        var copy = [UInt8](UnsafeRawBufferPointer(start: base + start + offset, count: count))
        if kind == .slab { dropUnstable(&copy, base + start + offset) }
        // Pages that were never used stay holes.
        if copy.contains(where: { $0 != 0 }) { try put(copy, at: start + offset) }
      }
    }
  }

  /// Frees the slots that were given away while they were copied.
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

  private func finish(_ header: inout [UInt8], _ lastEpoch: UInt64, _ tailCount: UInt64) {
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
      let row = start + Header.regions + RegionKind.tail.rawValue * Layout.Region.byteCount
      if Layout.Region.offset.load(from: row) != 0 {
        Layout.Region.used.store(tailCount, to: row)
      }
    }
  }

  // MARK: Writing

  private func put(_ bytes: some Collection<UInt8>, at offset: Int) throws(TraceError) {
    let written = bytes.withContiguousStorageIfAvailable { buffer -> Bool in
      var done = 0
      while done < buffer.count, let start = buffer.baseAddress {
        let count = pwrite(descriptor, start + done, buffer.count - done, off_t(offset + done))
        if count > 0 {
          done += count
        } else if count == 0 || errno != EINTR {
          return false
        }
      }
      return true
    }
    guard written == true else { throw failure() }
  }

  private func failure() -> TraceError {
    TraceError(
      .system,
      "the snapshot cannot be written (\(String(cString: strerror(errno)))); make room or give another path",
      path: path
    )
  }
}
