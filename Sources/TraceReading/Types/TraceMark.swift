/// One decoded mark: an instant with the live count of each site, which is an operator at a line of
/// code.
public struct TraceMark: Sendable {
  /// Row in the table of marks.
  public var index = 0
  /// The time at which it was set, in ticks.
  public var ticks: UInt64 = 0
  /// Its name.
  public var name = ""
  /// What set it.
  public var kind: MarkKind = .program
  /// Its position among the marks of its series, counted from 1, including those that were removed;
  /// 0 if it is not known.
  public var ordinal: UInt32 = 0
  /// The time of the mark before it, in ticks, since which ``minimumLive`` was determined; 0 for
  /// the first mark, and if it is not known.
  public var since: UInt64 = 0
  /// The number of live signals.
  public var liveSignals: UInt64 = 0
  /// The number of subscriptions that had not ended.
  public var liveSubscriptions: UInt64 = 0
  /// The number of armed timers.
  public var liveTimers: UInt64 = 0
  /// Bytes of the heap that the program had allocated and not freed; nil if that is not known, as
  /// before version 1.6, and at marks where it would have taken long to determine.
  public var heapInUse: UInt64?
  /// The resident size of the process in bytes; nil if that is not known.
  public var residentSize: UInt64?
  /// Whether any counts of its sites were lost.
  public var hasLostCounts = false
  /// The live subscriptions of each site at the mark; sites beyond the end had none.
  public var live: [UInt32] = []
  /// The smallest live count of each site since the mark before.
  public var minimumLive: [UInt32] = []

  /// Creates an empty value, to be filled in by the caller.
  public init() {}
}
