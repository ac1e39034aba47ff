/// What a reader knows about one segment, which holds up to 64 KiB of records.
///
/// A segment is in the ring, where the oldest is recycled (overwritten) if no other is free, or in
/// the tail of a stream, to which full segments are appended.
public struct TraceSegment: Sendable {
  /// Its index in the ring, or in the tail.
  public var index = 0
  /// Whether it is in the tail of a stream: complete, and never recycled.
  public var isInTail = false
  /// Unique, and higher for segments that were assigned later; part of the numbers of its records.
  public var epoch: UInt64 = 0
  /// Bytes in use, header included.
  public var committed: UInt32 = 0
  /// Its state.
  public var state: SegmentState = .free
  /// The time in ticks to which the times of its records are relative.
  public var baseTicks: UInt64 = 0
  /// The monotonic clock at that time, in nanoseconds.
  public var baseMonotonic: UInt64 = 0
  /// The generation of its records: a stretch of the trace that can be read without the earlier
  /// records.
  public var generation: UInt64 = 0
  /// Row in the thread table; 0 if several threads share it.
  public var thread: UInt32 = 0
  /// The number of records that were dropped for lack of room.
  public var lost: UInt64 = 0
  /// The serial of the last entity that was made before the segment was taken; 0 before version
  /// 1.8.
  public var baseSerial: UInt64 = 0
  /// Whether the file ends before the segment's last record.
  public var isTruncated = false
  /// The damaged ranges of the segment, which cannot be read as records, in ascending order.
  ///
  /// They count 16-byte slots, each a record or a continuation, after the header of the segment.
  ///
  /// If there are more than sixteen, the last one extends over the rest.
  ///
  /// The records before and after a range can be read, but the thread of those after it is unknown
  /// until a record switches threads.
  public var damagedRows: [Range<Int>] = []
  /// Whether times in it decrease, or are too far from its base; a recorder writes neither.
  public var hasWrongTimes = false

  /// Whether a part of it was overwritten.
  ///
  /// Overwritten bytes that look like a record cannot be recognized.
  public var isDamaged: Bool { !damagedRows.isEmpty || hasWrongTimes }
  /// Whether every record that was written into it is intact.
  public var isWhole: Bool { !isTruncated && !isDamaged }

  /// Creates an empty value, to be filled in by the caller.
  public init() {}
}
