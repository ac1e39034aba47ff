import CReactiveTraceShims
import Glibc

/// Decodes blocks of records, and caches the last few.
///
/// `@unchecked Sendable`: the mutable properties are only accessed with the mutex held.
final class RecordPages: @unchecked Sendable {
  let file: TraceFile
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var recent: [(id: UInt64, records: [TraceRecord])] = []
  private var lastID: UInt64 = 0
  private var isDamaged = false

  /// The number of blocks that are cached.
  private static let limit = 8

  init(_ file: TraceFile) {
    self.file = file
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// A number that no other block has.
  func newID() -> UInt64 {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    lastID += 1
    return lastID
  }

  /// Whether a read has found that the file no longer holds all the records that were indexed.
  var hasLostRecords: Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return isDamaged
  }

  /// The records of a block.
  func records(of block: RecordBlock, _ stored: [StoredSegment]) -> [TraceRecord] {
    pthread_mutex_lock(mutex)
    if let place = recent.lastIndex(where: { $0.id == block.id }) {
      defer { pthread_mutex_unlock(mutex) }
      let block = recent.remove(at: place)
      recent.append(block)
      return block.records
    }
    pthread_mutex_unlock(mutex)
    var records: [TraceRecord] = []
    let isWhole = decode(block, stored, into: &records)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if recent.count >= Self.limit { recent.removeFirst() }
    recent.append((block.id, records))
    if !isWhole { isDamaged = true }
    return records
  }

  /// Decodes the records of a block into `buffer`, without caching them: for a scan, which needs
  /// each block once.
  ///
  /// After the records of the block, `buffer` may contain unrelated ones.
  func read(_ block: RecordBlock, _ stored: [StoredSegment], into buffer: inout [TraceRecord]) {
    guard !decode(block, stored, into: &buffer) else { return }
    pthread_mutex_lock(mutex)
    isDamaged = true
    pthread_mutex_unlock(mutex)
  }

  /// Writes the records of a block over the first ones of `buffer`; returns false if the file no
  /// longer contains some of them.
  private func decode(
    _ block: RecordBlock,
    _ stored: [StoredSegment],
    into buffer: inout [TraceRecord]
  ) -> Bool {
    if buffer.count < block.count {
      buffer += repeatElement(TraceRecord(), count: block.count - buffer.count)
    }
    var ends: [Int] = []
    var count = 0
    buffer.withUnsafeMutableBufferPointer { buffer in
      for part in block.parts {
        let room = UnsafeMutableBufferPointer(rebasing: buffer[count..<block.count])
        count += decode(part, stored[Int(part.stored)], into: room)
        ends.append(count)
      }
    }
    if block.isInterleaved {
      var merged: [TraceRecord] = []
      RecordMerge.merge(Array(buffer[..<count]), runs: ends, into: &merged)
      buffer = merged
    }
    // If the file has changed since it was indexed, records that are no longer there are replaced
    // by empty ones.
    for place in count..<block.count {
      var missing = TraceRecord()
      missing.ticks = place > 0 ? buffer[place - 1].ticks : block.firstTicks
      missing.generation = block.lowGeneration
      if place < buffer.count { buffer[place] = missing } else { buffer.append(missing) }
    }
    return count == block.count
  }

  private func decode(
    _ part: RecordPart,
    _ stored: StoredSegment,
    into records: UnsafeMutableBufferPointer<TraceRecord>
  ) -> Int {
    guard let base = records.baseAddress else { return 0 }
    guard stored.isSorted else {
      let all = sorted(stored)
      let end = min(Int(part.end), all.count)
      let wanted = all[min(Int(part.start), end)..<end].prefix(records.count)
      for (place, record) in wanted.enumerated() { records[place] = record }
      return wanted.count
    }
    var origin = stored.origin
    origin.firstSlot += Int(part.start)
    origin.thread = part.thread
    if part.start > 0 { origin.signal = signal(before: Int(part.start), stored) }
    var count = 0
    withBytes(of: stored, Int(part.start)..<Int(part.end)) { bytes in
      count = SegmentWalk.decode(bytes, origin, into: base, limit: records.count)
    }
    return count
  }

  /// The signal created by the record before a slot, if the record in that slot depends on it;
  /// otherwise 0.
  private func signal(before slot: Int, _ stored: StoredSegment) -> UInt32 {
    // A `signal-created` takes two slots.
    let first = max(0, slot - 2)
    var signal: UInt32 = 0
    withBytes(of: stored, first..<(slot + 1)) { bytes in
      guard let base = bytes.baseAddress, bytes.count == (slot + 1 - first) * 16,
        SegmentWalk.isAppended(base + (slot - first) * 16)
      else { return }
      for place in (first..<slot).reversed() {
        let here = base + (place - first) * 16
        if SegmentWalk.isContinuation(here) { continue }
        if SegmentWalk.createsSignal(here) {
          signal = Packing.low(Layout.Record.body.load(from: here))
        }
        return
      }
    }
    return signal
  }

  /// The records of a segment in which times decrease, sorted by time.
  func sorted(_ stored: StoredSegment) -> [TraceRecord] {
    var records = [TraceRecord](unsafeUninitializedCapacity: stored.slotCount) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      withBytes(of: stored, 0..<stored.slotCount) { bytes in
        count = SegmentWalk.decode(bytes, stored.origin, into: base, limit: stored.slotCount)
      }
    }
    records.sort { ($0.ticks, $0.number) < ($1.ticks, $1.number) }
    return records
  }

  /// Calls `body` with the bytes of slots, which are fewer if the file no longer contains all of
  /// them.
  func withBytes(
    of stored: StoredSegment,
    _ slots: Range<Int>,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    let size = Layout.Record.byteCount
    switch stored.source {
    case .held(let bytes):
      let end = min(slots.upperBound * size, bytes.count)
      let start = min(slots.lowerBound * size, end)
      bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
    case .file(let offset):
      withUnsafeTemporaryAllocation(byteCount: max(1, slots.count * size), alignment: 16) {
        let wanted = UnsafeMutableRawBufferPointer(rebasing: $0[..<(slots.count * size)])
        let count = file.read(into: wanted, at: offset + slots.lowerBound * size)
        body(UnsafeRawBufferPointer(rebasing: wanted[..<count]))
      }
    }
  }
}

extension StoredSegment {
  /// The position of the first stored slot, from which decoding starts.
  var origin: SegmentWalk.Origin {
    SegmentWalk.Origin(
      epoch: epoch,
      baseTicks: baseTicks,
      generation: generation,
      firstSlot: firstSlot,
      thread: firstThread,
      hasLaterKinds: hasLaterKinds,
      serials: serials,
      signal: firstSignal
    )
  }
}
