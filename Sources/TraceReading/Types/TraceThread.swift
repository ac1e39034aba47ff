/// One decoded row of the thread table.
public struct TraceThread: Sendable {
  /// Row in the table.
  public var index: UInt32 = 0
  /// The kernel's number of the thread.
  public var systemID: UInt32 = 0
  /// Whether it is the main thread.
  public var isMain = false
  /// Its name.
  public var name = ""
  /// The time of its first record, in ticks.
  public var firstSeen: UInt64 = 0
  /// The time at which the thread ended, in ticks; nil if it has not ended.
  public var ended: UInt64?
  /// The number of records that were dropped for lack of room.
  public var lost: UInt64 = 0

  /// Creates an empty value, to be filled in by the caller.
  public init() {}
}
