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
  /// Ticks of its first record.
  public var firstSeen: UInt64 = 0
  /// Ticks when it ended; nil if it has not.
  public var ended: UInt64?
  /// Records that found no room.
  public var lost: UInt64 = 0

  /// An empty value, to be filled by hand.
  public init() {}
}
