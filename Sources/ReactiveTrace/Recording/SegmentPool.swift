import CReactiveTraceShims
import TracePlatform

/// The segments of the ring: which thread owns which, and which is recycled next.
///
/// A segment is 64 KiB of records; it is *sealed* when no thread writes into it any more. Its
/// *epoch* is the number of its assignment, counted from 1 over all segments. A *generation* is a
/// section of the trace that can be read without the earlier records. In stream mode, the file has
/// a *tail*, to which sealed segments are appended before they are recycled (``StreamTail``).
///
/// All methods but the initializer require ``lock`` to be held.
///
/// `@unchecked Sendable`: `state` and the lists are only used with `lock` held, and the bytes of a
/// segment only by the thread that owns it or appends it to the tail, or with `lock` held.
struct SegmentPool: @unchecked Sendable {
  let region: MappedRegion
  let lock = Lock()
  let state: UnsafeMutablePointer<State>
  private let header: UnsafeMutableRawPointer
  private let clock: TraceClock
  /// Free and sealed segments, the oldest first.
  ///
  /// It has room for all segments.
  private let queue: UnsafeMutablePointer<UInt32>
  /// Segments that ended threads left with room in them.
  private let partial: UnsafeMutablePointer<UInt32>
  /// Sealed segments that wait to be appended to the tail, the oldest first.
  private let pending: UnsafeMutablePointer<UInt32>
  /// What is known about each segment.
  private let known: UnsafeMutablePointer<Known>
  private let tail: StreamTail

  struct State: BitwiseCopyable {
    var generation: UInt64 = 1
    var epoch: UInt64 = 0
    /// The highest generation whose records have been overwritten, even if only in part.
    var recycled: UInt64 = 0
    /// The number of segments that threads own now, not counting the shared one.
    var owned = 0
    /// The number of segments filled since the generation began.
    var filled = 0
    var queueHead = 0
    var queueCount = 0
    var partialCount = 0
    var pendingHead = 0
    var pendingCount = 0
    /// The overflow segment, shared by the threads that own none.
    var shared: RecordCursor?
    var sharedTime: UInt64 = 0
    var sharedThread: UInt32 = 0
  }

  /// What is known about a segment without reading the file, where another process may have changed
  /// it.
  struct Known: BitwiseCopyable {
    /// The generation in which it was last assigned; 0 if it never was.
    var generation: UInt64 = 0
    /// The ticks to which the times of its records are relative.
    var base: UInt64 = 0
    /// For a segment that an ended thread left: the bytes in use, and the ticks of the last record.
    var committed = 0
    var lastTicks: UInt64 = 0
    /// Whether its records have been appended to the tail.
    var isSaved = false
  }

  private static var partialLimit: Int { 64 }
  /// A segment with less room than this is not worth keeping for another thread.
  private static var leastRoom: Int { 1024 }

  init(
    region: MappedRegion,
    header: UnsafeMutableRawPointer,
    clock: TraceClock,
    tail: StreamTail
  ) throws(TraceError) {
    self.region = region
    self.tail = tail
    pending = try PrivateMemory.allocate(UInt32.self, count: region.capacity)
    known = try PrivateMemory.allocate(Known.self, count: region.capacity)
    self.header = header
    self.clock = clock
    state = try PrivateMemory.allocate(State.self, count: 1)
    queue = try PrivateMemory.allocate(UInt32.self, count: region.capacity)
    partial = try PrivateMemory.allocate(UInt32.self, count: Self.partialLimit)
    state.initialize(to: State())
    for index in 0..<region.capacity { recycleLater(UInt32(index)) }
    region.used = region.capacity
  }

  /// Whether another thread may own a segment: at most half of the segments are owned by threads at
  /// once; the others wait in the queue, or serve as the shared one.
  var hasRoomForThread: Bool { state.pointee.owned < region.capacity / 2 }

  /// Whether there are segments that were never assigned.
  var hasUnused: Bool { state.pointee.epoch < UInt64(region.capacity) }

  // MARK: Assigning

  /// Whether a segment has to be appended to the tail before one can be assigned without losing
  /// records.
  var isUsedUp: Bool { tail.isOn && state.pointee.queueCount == 0 }

  /// Assigns a segment to `thread` (0: shared), with times relative to `base`, in ticks; nil if
  /// none is available.
  ///
  /// Segments that wait to be appended to the tail are taken last.
  func take(thread: UInt32, base: UInt64) -> RecordCursor? {
    guard let index = dequeue() ?? takePartialIndex() ?? takePendingIndex() else { return nil }
    guard region.reserve(Int(index) + 1) else {
      recycleLater(index)
      return nil
    }
    let segment = region.entry(Int(index))
    let known = known + Int(index)
    if known.pointee.generation != 0, !known.pointee.isSaved {
      noteRecycled(known.pointee.generation)
    }
    let reading = clock.read()
    clock.measure(reading)
    writeLatest(reading)
    state.pointee.epoch += 1
    known.pointee = Known(generation: state.pointee.generation, base: base)

    // A reader that finds the old epoch before and after its copy must not have copied any of what
    // is written below.
    Layout.Segment.epoch.setRelaxed(0, at: segment)
    rxt_fence_release()
    Layout.Segment.committed.setRelaxed(UInt32(Layout.Segment.headerByteCount), at: segment)
    Layout.Segment.state.setRelaxed(SegmentState.current.rawValue, at: segment)
    Layout.Segment.baseTicks.setRelaxed(base, at: segment)
    let age = reading.ticks > base ? clock.nanoseconds(reading.ticks - base) : 0
    Layout.Segment.baseMonotonic.setRelaxed(reading.monotonic &- age, at: segment)
    Layout.Segment.generation.setRelaxed(state.pointee.generation, at: segment)
    Layout.Segment.thread.setRelaxed(thread, at: segment)
    Layout.Segment.lost.setRelaxed(0, at: segment)
    let serial = Layout.FileHeader.lastSerial.relaxed(at: header)
    Layout.Segment.baseSerial.setRelaxed(serial, at: segment)
    Layout.Segment.epoch.setRelease(state.pointee.epoch, at: segment)
    Layout.FileHeader.lastEpoch.setRelease(state.pointee.epoch, at: header)
    if thread != 0 { state.pointee.owned += 1 }
    return RecordCursor(
      segment: segment,
      position: segment + Layout.Segment.headerByteCount,
      base: base
    )
  }

  /// Takes a segment of this generation that an ended thread left with room in it; also returns the
  /// ticks of its last record.
  ///
  /// Seals those that are so old that they cannot express the time `now`.
  func adopt(at now: UInt64) -> (cursor: RecordCursor, time: UInt64)? {
    while let index = takePartialIndex() {
      let segment = region.entry(Int(index))
      let known = known[Int(index)]
      if now > known.base, now - known.base >= Layout.Record.deltaLimit {
        Layout.Segment.state.setRelaxed(SegmentState.sealed.rawValue, at: segment)
        enqueue(index)
        continue
      }
      state.pointee.owned += 1
      let cursor = RecordCursor(
        segment: segment,
        position: segment + known.committed,
        base: known.base
      )
      return (cursor, known.lastTicks)
    }
    return nil
  }

  /// The time, in ticks, from which no record has been overwritten; nil if none has been
  /// overwritten at all.
  var oldestTicks: UInt64? {
    guard state.pointee.recycled > 0 else { return nil }
    return (0..<region.capacity).lazy.map { known[$0] }
      .filter { $0.generation > state.pointee.recycled }.map(\.base).min()
  }

  /// The generation in which a segment was assigned.
  func generation(of segment: UnsafeMutableRawPointer) -> UInt64 {
    known[Int(index(of: segment))].generation
  }

  // MARK: Taking back

  /// Takes back the segment of a thread, because it is full or belongs to an older generation.
  func seal(_ segment: UnsafeMutableRawPointer, isFull: Bool, ofThread: Bool = true) {
    if ofThread { state.pointee.owned -= 1 }
    Layout.Segment.state.setRelaxed(SegmentState.sealed.rawValue, at: segment)
    enqueue(index(of: segment))
    guard isFull else { return }
    state.pointee.filled += 1
    if state.pointee.filled >= max(1, region.capacity / 8) { advanceGeneration() }
  }

  /// Takes back the segment of a thread that is ending; another thread may continue it if there is
  /// room in it.
  ///
  /// - Parameters:
  ///   - segment: Its header.
  ///   - committed: The bytes of it in use.
  ///   - time: Ticks of its last record.
  func giveBack(_ segment: UnsafeMutableRawPointer, committed: Int, time: UInt64) {
    let isCurrent = generation(of: segment) == state.pointee.generation
    let isRoomy = Layout.Segment.size - committed >= Self.leastRoom
    guard isCurrent, isRoomy, state.pointee.partialCount < Self.partialLimit else {
      return seal(segment, isFull: !isRoomy)
    }
    state.pointee.owned -= 1
    let index = index(of: segment)
    known[Int(index)].committed = committed
    known[Int(index)].lastTicks = time
    partial[state.pointee.partialCount] = index
    state.pointee.partialCount += 1
  }

  // MARK: Streaming

  /// Whether sealed segments wait to be appended to the tail.
  var hasPending: Bool { state.pointee.pendingCount > 0 }

  /// Takes the sealed segment that has waited longest; it is not recycled until
  /// ``finish(_:isSaved:)`` is called.
  ///
  /// If there is none and `orPartial` is true, takes one that an ended thread left.
  func takePending(orPartial: Bool) -> UnsafeMutableRawPointer? {
    if let index = takePendingIndex() { return region.entry(Int(index)) }
    guard orPartial, let index = takePartialIndex() else { return nil }
    let segment = region.entry(Int(index))
    Layout.Segment.state.setRelaxed(SegmentState.sealed.rawValue, at: segment)
    return segment
  }

  /// Allows the segment to be recycled.
  func finish(_ segment: UnsafeMutableRawPointer, isSaved: Bool) {
    let index = index(of: segment)
    known[Int(index)].isSaved = isSaved
    recycleLater(index)
  }

  private func takePendingIndex() -> UInt32? {
    guard state.pointee.pendingCount > 0 else { return nil }
    let index = pending[state.pointee.pendingHead]
    state.pointee.pendingHead = (state.pointee.pendingHead + 1) % region.capacity
    state.pointee.pendingCount -= 1
    return index
  }

  // MARK: Generations

  /// Begins a new generation: threads see it in the control word and return their segments.
  func advanceGeneration() {
    state.pointee.generation += 1
    state.pointee.filled = 0
    while let index = takePartialIndex() {
      Layout.Segment.state.setRelaxed(SegmentState.sealed.rawValue, at: region.entry(Int(index)))
      enqueue(index)
    }
    Layout.FileHeader.generation.setRelaxed(state.pointee.generation, at: header)
    let bits = ControlWord.generationBits(of: state.pointee.generation)
    Layout.FileHeader.control.update(at: header) { ControlWord.with($0, generationBits: bits) }
  }

  /// Writes the header's latest readings of the clocks.
  func writeLatest(_ reading: ClockReading) {
    let sequence = Layout.FileHeader.latestSequence.relaxed(at: header)
    Layout.FileHeader.latestSequence.setRelaxed(sequence | 1, at: header)
    rxt_fence_release()
    Layout.FileHeader.latestTicks.setRelaxed(reading.ticks, at: header)
    Layout.FileHeader.latestMonotonic.setRelaxed(reading.monotonic, at: header)
    Layout.FileHeader.latestRealtime.setRelaxed(reading.realtime, at: header)
    Layout.FileHeader.latestSequence.setRelease((sequence | 1) &+ 1, at: header)
  }

  // MARK: Lists

  private func index(of segment: UnsafeMutableRawPointer) -> UInt32 {
    UInt32((segment - region.base) / Layout.Segment.size)
  }

  /// Enqueues a sealed segment to be appended to the tail, if there is one, or otherwise to be
  /// recycled.
  private func enqueue(_ index: UInt32) {
    guard tail.isOn else { return recycleLater(index) }
    let place = (state.pointee.pendingHead + state.pointee.pendingCount) % region.capacity
    pending[place] = index
    state.pointee.pendingCount += 1
  }

  private func recycleLater(_ index: UInt32) {
    let place = (state.pointee.queueHead + state.pointee.queueCount) % region.capacity
    queue[place] = index
    state.pointee.queueCount += 1
  }

  private func dequeue() -> UInt32? {
    guard state.pointee.queueCount > 0 else { return nil }
    let index = queue[state.pointee.queueHead]
    state.pointee.queueHead = (state.pointee.queueHead + 1) % region.capacity
    state.pointee.queueCount -= 1
    return index
  }

  private func takePartialIndex() -> UInt32? {
    guard state.pointee.partialCount > 0 else { return nil }
    state.pointee.partialCount -= 1
    return partial[state.pointee.partialCount]
  }

  /// Notes that records of `generation` are about to be overwritten, so that no generation up to it
  /// is complete any more.
  private func noteRecycled(_ generation: UInt64) {
    Layout.FileHeader.recycledSegments.add(1, at: header)
    if generation > state.pointee.recycled {
      state.pointee.recycled = generation
      Layout.FileHeader.recycledGeneration.setRelease(generation, at: header)
    }
    // If records of the current generation are overwritten, the ring is smaller than a generation.
    // The next generation then begins now, because otherwise none would ever be complete.
    if generation == state.pointee.generation { advanceGeneration() }
  }
}
