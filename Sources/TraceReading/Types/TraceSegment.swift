/// What a reader knows about one segment.
public struct TraceSegment: Sendable {
  /// Which segment of the pool, or of the tail.
  public var index = 0
  /// Whether it is in the tail of a stream: complete, and never recycled.
  public var isInTail = false
  /// Unique and rising; part of the number of its records.
  public var epoch: UInt64 = 0
  /// Bytes in use, header included.
  public var committed: UInt32 = 0
  /// What becomes of it.
  public var state: SegmentState = .free
  /// The time its records count from.
  public var baseTicks: UInt64 = 0
  /// The monotonic clock at that time, in nanoseconds.
  public var baseMonotonic: UInt64 = 0
  /// The generation of its records.
  public var generation: UInt64 = 0
  /// Row in the thread table; 0 if it is shared.
  public var thread: UInt32 = 0
  /// Records that found no room.
  public var lost: UInt64 = 0
  /// Whether the file ends before the segment's last record.
  public var isTruncated = false
  /// Where there is something in it that is no record, by indexes of 16 bytes behind its header, rising; of what
  /// is behind the sixteenth place, the last one has all.
  ///
  /// The records before and behind are there, but not whose those behind are, unless one says so.
  public var damagedRows: [Range<Int>] = []
  /// Whether the time falls in it or runs ahead of what a segment holds, which no recorder writes.
  public var hasWrongTimes = false

  /// Whether something has overwritten a part of it; what looks like a record cannot be distinguished from one.
  public var isDamaged: Bool { !damagedRows.isEmpty || hasWrongTimes }
  /// Whether every record that was written into it is there.
  public var isWhole: Bool { !isTruncated && !isDamaged }

  /// An empty value, to be filled by hand.
  public init() {}
}
